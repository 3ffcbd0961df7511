//! What the parts of a run share.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use http::StatusCode;
use kube::Client;
use operatorkit_apiserver::{
    ApiServer,
    access::User,
    fault::{Effect, Fault, Interference, Matching},
};
use tokio::{sync::mpsc::UnboundedSender, time::Instant};

use super::{
    request::{Asked, Verb},
    wire::OPERATOR,
};
use crate::explorer::{
    judge::{Author, History, Judge},
    outside::Outside,
    plan::{Blindness, Disturbance, Event, Plan, Point, Refusal, Sort},
    scenario::Target,
};

/// What the conductor is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// This incarnation is dead; start the next.
    Killed(u32),
    /// The same, with the next version.
    Upgraded(u32),
}

/// One line of a timeline.
#[derive(Clone, Debug)]
pub(in crate::explorer) struct Line {
    pub(in crate::explorer) at: Duration,
    pub(in crate::explorer) text: String,
}

/// What the parts of a run share.
pub(super) struct Stage {
    pub(super) server: ApiServer,
    pub(super) outside: Arc<dyn Outside>,
    pub(super) objects: Vec<Target>,
    /// Somebody else than the operator.
    pub(super) user: Client,
    plan: Plan,
    orders: UnboundedSender<Order>,
    began: Instant,
    state: Mutex<State>,
}

struct State {
    /// The incarnation that lives; 0 between two.
    living: u32,
    counts: HashMap<String, u32>,
    points: Vec<Point>,
    failing: BTreeMap<String, (Refusal, Instant)>,
    lines: Vec<Line>,
    judge: Judge,
    /// The version up to which the judge has looked.
    seen: u64,
    active: Instant,
    /// What others have still to do.
    pending: usize,
    deletes: bool,
    met: Vec<bool>,
}

impl Stage {
    pub(super) fn new(
        server: ApiServer,
        outside: Arc<dyn Outside>,
        objects: Vec<Target>,
        plan: &Plan,
        known: Option<History>,
        orders: UnboundedSender<Order>,
    ) -> Self {
        let now = Instant::now();
        let state = State {
            living: 0,
            counts: HashMap::new(),
            points: Vec::new(),
            failing: BTreeMap::new(),
            lines: Vec::new(),
            judge: Judge::new(&server.objects(), &objects, known),
            seen: server.resource_version(),
            active: now,
            pending: 0,
            deletes: false,
            met: vec![false; plan.0.len()],
        };
        let stage = Self {
            user: Client::new(server.service_as(User::new("user", [MASTERS])), "default"),
            server,
            outside,
            objects,
            plan: plan.clone(),
            orders,
            began: now,
            state: Mutex::new(state),
        };
        stage.blind();
        stage
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets up what watches do not show.
    fn blind(&self) {
        let mut state = self.state();
        for (index, disturbance) in self.plan.0.iter().enumerate() {
            let Disturbance::Watch(resource, blindness) = disturbance else {
                continue;
            };
            let watches = Matching::verbs(["watch"]).user(OPERATOR).resource(resource.clone());
            let (interference, once) = interference(*blindness);
            let fault = Fault::new(watches, Effect::Watch(interference));
            self.server.faults().add(if once { fault.once() } else { fault });
            state.met[index] = true;
        }
    }

    pub(super) fn lives(&self, incarnation: u32) -> bool {
        self.state().living == incarnation
    }

    pub(super) fn begin(&self, incarnation: u32) {
        self.state().living = incarnation;
        self.say(|| format!("the operator starts ({incarnation})"));
    }

    /// Nothing of an incarnation comes through from now on.
    pub(super) fn kill(&self, incarnation: u32) {
        self.end(incarnation, Order::Killed(incarnation));
        self.say(|| "the operator is killed".into());
    }

    pub(super) fn upgrade(&self) {
        let living = self.state().living;
        self.end(living, Order::Upgraded(living));
        self.say(|| "the operator is replaced by its next version".into());
    }

    fn end(&self, incarnation: u32, order: Order) {
        let mut state = self.state();
        if state.living == incarnation {
            state.living = 0;
            // Nobody listens any more at the end of a run only.
            let _ended = self.orders.send(order);
        }
    }

    /// The operator has come to a point.
    pub(super) fn cross(&self, sort: Sort, what: &str) -> Point {
        let mut state = self.state();
        let nth = state.counts.entry(what.to_owned()).or_default();
        *nth += 1;
        let point = Point {
            what: what.to_owned(),
            nth: *nth,
            sort,
        };
        state.points.push(point.clone());
        if sort == Sort::Operation {
            state.line(self.began, format!("operation  {point}"));
        }
        point
    }

    /// What the plan says of a point.
    pub(super) fn events_at(&self, point: &Point) -> Vec<Event> {
        let mut events = Vec::new();
        for (index, disturbance) in self.plan.0.iter().enumerate() {
            match disturbance {
                Disturbance::At(at, event) if at == point => {
                    self.state().met[index] = true;
                    self.say(|| format!("  ! {event}"));
                    events.push(event.clone());
                }
                _ => {}
            }
        }
        events
    }

    pub(super) fn keep_failing(&self, what: &str, refusal: Refusal, seconds: u64) {
        let until = Instant::now() + Duration::from_secs(seconds);
        self.state().failing.insert(what.to_owned(), (refusal, until));
    }

    pub(super) fn keeps_failing(&self, what: &str) -> Option<Refusal> {
        let state = self.state();
        let (refusal, until) = state.failing.get(what)?;
        (Instant::now() < *until).then_some(*refusal)
    }

    /// The next list of a resource is as it was at a version.
    pub(super) fn rewind(&self, resource: &str, version: u64) {
        let lists = Matching::verbs(["list"]).user(OPERATOR).resource(resource);
        self.server
            .faults()
            .add(Fault::new(lists, Effect::SeeOnly(version)).once());
    }

    /// Whether nothing that a spec asks for can be worked out any more.
    pub(super) fn nothing_is_desired(&self) -> bool {
        self.state().deletes && self.plan.0.contains(&Disturbance::NothingIsDesired)
    }

    /// An object of the scenario is deleted now.
    pub(super) fn deletes(&self) {
        let mut state = self.state();
        state.deletes = true;
        for (disturbance, met) in self.plan.0.iter().zip(&mut state.met) {
            *met |= *disturbance == Disturbance::NothingIsDesired;
        }
    }

    pub(super) fn watches(&self, resource: &str) {
        self.state().judge.history.watches.insert(resource.to_owned());
    }

    /// Shows the judge what has changed.
    pub(super) fn look(&self, by_operator: bool) {
        let mut state = self.state();
        let author = if by_operator { Author::Operator } else { Author::Others };
        let now = self.began.elapsed();
        if self.server.resource_version() > state.seen {
            let changes = self.server.changes_since(state.seen);
            state.seen = self.server.resource_version();
            for change in &changes {
                if super::request::is_aside(&change.resource) {
                    continue;
                }
                state.active = Instant::now();
                if let Some(text) = state.judge.change(change, author, now) {
                    state.line(self.began, text);
                }
            }
        }
        let changed = state.judge.outside(self.outside.things(), now);
        if !changed.is_empty() {
            state.active = Instant::now();
        }
        for text in changed {
            state.line(self.began, text);
        }
    }

    /// The line of a request, until its answer comes.
    pub(super) fn says_request(&self, asked: &Asked) -> usize {
        let mut state = self.state();
        if asked.verb == Verb::Write {
            state.active = Instant::now();
        }
        if matches!(asked.verb, Verb::Aside | Verb::Watch) {
            return usize::MAX;
        }
        state.line(self.began, format!("operator   {}", asked.what));
        state.lines.len() - 1
    }

    pub(super) fn answered(&self, asked: &Asked, line: usize, status: Option<StatusCode>) {
        let mut state = self.state();
        let code = status.map_or_else(|| "no answer".to_owned(), |status| status.as_u16().to_string());
        if let Some(line) = state.lines.get_mut(line) {
            line.text.push_str(" -> ");
            line.text.push_str(&code);
        }
        if asked.verb == Verb::Write && status.is_some_and(|status| status.is_success()) {
            state.judge.succeeded(&asked.what);
        }
    }

    /// A write that is refused by the plan.
    pub(super) fn refused(&self, what: &str, body: &Bytes) {
        self.state().judge.refused(what, body);
    }

    pub(super) fn say(&self, text: impl FnOnce() -> String) {
        self.state().line(self.began, text());
    }

    /// Somebody will act later.
    pub(super) fn pending(&self, add: bool) {
        let mut state = self.state();
        state.active = Instant::now();
        state.pending = if add { state.pending + 1 } else { state.pending - 1 };
    }

    /// How long nothing has happened; `None` while somebody has still something to do.
    pub(super) fn quiet_for(&self) -> Option<Duration> {
        let state = self.state();
        (state.pending == 0).then(|| state.active.elapsed())
    }

    /// How many points were crossed so far.
    pub(super) fn crossed(&self) -> usize {
        self.state().points.len()
    }

    /// Whether the judge has found something.
    pub(super) fn is_broken(&self) -> bool {
        !self.state().judge.violations.is_empty()
    }

    /// A rule does not hold.
    pub(super) fn found(&self, rule: &'static str, seen: String) {
        let at = self.elapsed();
        self.with_judge(|judge| judge.found(at, rule, seen));
    }

    pub(super) fn with_judge<T>(&self, does: impl FnOnce(&mut Judge) -> T) -> T {
        does(&mut self.state().judge)
    }

    /// What is left of a run.
    pub(super) fn take(&self) -> (Vec<Point>, Vec<Line>, bool) {
        let mut state = self.state();
        let met = state.met.iter().all(|met| *met);
        (std::mem::take(&mut state.points), std::mem::take(&mut state.lines), met)
    }

    /// How long the run has gone on.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// The group of those who may do everything.
const MASTERS: &str = "system:masters";

impl State {
    fn line(&mut self, began: Instant, text: String) {
        self.lines.push(Line {
            at: began.elapsed(),
            text,
        });
    }
}

/// How the server disturbs a watch, and whether only the first one.
fn interference(blindness: Blindness) -> (Interference, bool) {
    match blindness {
        Blindness::Ends(after) => (Interference::EndAfter(after), true),
        Blindness::Breaks(after) => (Interference::BreakAfter(after), true),
        Blindness::Expires(after) => (Interference::ExpireAfter(after), true),
        Blindness::Silent(after) => (Interference::SilentAfter(after), true),
        Blindness::Coalesced => (Interference::Coalesce, false),
        Blindness::Late(seconds) => (Interference::Late(Duration::from_secs(seconds)), false),
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage")
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
