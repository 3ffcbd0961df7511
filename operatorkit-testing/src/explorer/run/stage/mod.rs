//! What the parts of a run share.
//!
//! | module | what |
//! |---|---|
//! | `planned` | what the plan says, and how much of it has come |
//! | `happened` | what has happened: the timeline, what the judge was shown, when it was quiet last |

mod happened;
mod planned;

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kube::Client;
use operatorkit_apiserver::{ApiServer, access::User};
use tokio::{sync::mpsc::UnboundedSender, time::Instant};

use crate::explorer::{
    judge::{History, Judge},
    outside::Outside,
    plan::{Plan, Point, Refusal, Sort},
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
    /// How many points there are when it is too much.
    restless_from: usize,
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
            restless_from: MOST,
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
            user: Client::new(server.service_as(User::new(USER, [MASTERS])), "default"),
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

    pub(super) fn lives(&self, incarnation: u32) -> bool {
        self.state().living == incarnation
    }

    pub(super) fn begin(&self, incarnation: u32) {
        let mut state = self.state();
        state.living = incarnation;
        // It is not quiet before this one had its time, also if there was nothing to do for the one before.
        state.active = Instant::now();
        drop(state);
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
        state.judge.crossed();
        if state.points.len() == state.restless_from {
            let seen = format!("the operator has sent {MOST} requests since the last step, and the clock stands still");
            state.judge.found(self.began.elapsed(), QUIET_RULE, seen);
        }
        if sort == Sort::Operation {
            state.line(self.began, format!("operation  {point}"));
        }
        point
    }

    /// A step begins: how many points were crossed so far.
    pub(super) fn begin_step(&self) -> usize {
        let mut state = self.state();
        state.restless_from = state.points.len() + MOST;
        state.points.len()
    }

    /// Whether the operator has done more in a step than any that comes to rest: nothing of it comes through any more, so that the clock
    /// goes on.
    pub(super) fn is_restless(&self) -> bool {
        let state = self.state();
        state.points.len() >= state.restless_from
    }

    /// What is left of a run.
    pub(super) fn take(&self) -> (Vec<Point>, Vec<Line>, bool) {
        let mut state = self.state();
        let met = state.met.iter().all(|met| *met);
        (std::mem::take(&mut state.points), std::mem::take(&mut state.lines), met)
    }
}

/// More requests and operations than this has no step.
const MOST: usize = 2_000;
/// The rule about what never comes to rest.
pub(super) const QUIET_RULE: &str = "all is quiet after convergence";
/// Whose requests those of the others are.
pub(super) const USER: &str = "user";
/// The group of those who may do everything.
const MASTERS: &str = "system:masters";

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage")
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
