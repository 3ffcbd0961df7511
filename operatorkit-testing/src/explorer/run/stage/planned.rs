//! What the plan of a run says, and how much of it has come.

use std::time::Duration;

use operatorkit_apiserver::fault::{Effect, Fault, Interference, Matching};
use tokio::time::Instant;

use super::Stage;
use crate::explorer::{
    plan::{Blindness, Disturbance, Event, Point, Refusal},
    run::wire::OPERATOR,
};

/// How far the cache of an API server is behind.
const LAG: Duration = Duration::from_secs(30);

impl Stage {
    /// Sets up what watches do not show.
    pub(super) fn blind(&self) {
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

    /// What the plan says of a point.
    pub(in crate::explorer::run) fn events_at(&self, point: &Point) -> Vec<Event> {
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

    pub(in crate::explorer::run) fn keep_failing(&self, what: &str, refusal: Refusal, seconds: u64) {
        let until = Instant::now() + Duration::from_secs(seconds);
        self.state().failing.insert(what.to_owned(), (refusal, until));
    }

    pub(in crate::explorer::run) fn keeps_failing(&self, what: &str) -> Option<Refusal> {
        let state = self.state();
        let (refusal, until) = state.failing.get(what)?;
        (Instant::now() < *until).then_some(*refusal)
    }

    /// The next list of a resource is as it was at a version.
    pub(in crate::explorer::run) fn rewind(&self, resource: &str, version: u64) {
        let lists = Matching::verbs(["list"]).user(OPERATOR).resource(resource);
        self.server
            .faults()
            .add(Fault::new(lists, Effect::SeeOnly(version)).once());
    }

    /// The next watch over a resource shows everything late.
    pub(in crate::explorer::run) fn lag(&self, resource: &str) {
        let watches = Matching::verbs(["watch"]).user(OPERATOR).resource(resource);
        let late = Effect::Watch(Interference::Late(LAG));
        self.server.faults().add(Fault::new(watches, late).once());
    }

    /// Whether nothing that a spec asks for can be worked out any more.
    pub(in crate::explorer::run) fn nothing_is_desired(&self) -> bool {
        self.state().deletes && self.plan.0.contains(&Disturbance::NothingIsDesired)
    }

    /// An object of the scenario is deleted now.
    pub(in crate::explorer::run) fn deletes(&self) {
        let mut state = self.state();
        state.deletes = true;
        for (disturbance, met) in self.plan.0.iter().zip(&mut state.met) {
            *met |= *disturbance == Disturbance::NothingIsDesired;
        }
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
