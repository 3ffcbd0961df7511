//! The plans that follow from the undisturbed run: one for each thing that can go wrong.

use std::collections::BTreeSet;

use super::{
    plan::{Act, Blindness, Disturbance, Event, Place, Plan, Point, Refusal, Sort},
    run::Outcome,
    scenario::{Scenario, Step},
};

/// What becomes of one write.
const OF_WRITES: [Event; 14] = [
    Event::KilledBefore,
    Event::KilledAfter,
    Event::KilledAfterAndRewound,
    Event::AnswerLost,
    Event::Fails(Refusal::Conflict),
    Event::Fails(Refusal::TooManyRequests),
    Event::Fails(Refusal::InternalError),
    Event::Fails(Refusal::Timeout),
    Event::Fails(Refusal::Denied),
    Event::Fails(Refusal::WebhookGone),
    Event::Fails(Refusal::Silence),
    Event::FailsThoughDone(Refusal::Timeout),
    Event::FailsThoughDone(Refusal::Silence),
    Event::KeepsFailing(Refusal::Denied, 60),
];

/// What becomes of one operation outside of Kubernetes.
const OF_OPERATIONS: [Event; 5] = [
    Event::KilledBefore,
    Event::KilledAfter,
    Event::Fails(Refusal::InternalError),
    Event::FailsThoughDone(Refusal::InternalError),
    Event::KeepsFailing(Refusal::InternalError, 60),
];

/// What becomes of one read.
const OF_READS: [Event; 6] = [
    Event::KilledBefore,
    Event::Fails(Refusal::TooManyRequests),
    Event::Fails(Refusal::InternalError),
    Event::Fails(Refusal::Unavailable),
    Event::Fails(Refusal::Silence),
    Event::Fails(Refusal::Broken),
];

/// How a watch goes blind.
const OF_WATCHES: [Blindness; 14] = [
    Blindness::Ends(0),
    Blindness::Ends(1),
    Blindness::Ends(2),
    Blindness::Breaks(0),
    Blindness::Breaks(1),
    Blindness::Breaks(2),
    Blindness::Expires(0),
    Blindness::Expires(1),
    Blindness::Expires(2),
    Blindness::Silent(0),
    Blindness::Silent(1),
    Blindness::Silent(2),
    Blindness::Coalesced,
    Blindness::Late(5),
];

/// A plan for each single thing that can go wrong, in the order of the run. `next_versions`: how many there are beside the one that
/// begins.
pub(super) fn singles(scenario: &Scenario, undisturbed: &Outcome, next_versions: usize) -> Vec<Plan> {
    let mut all = Vec::new();
    for (index, point) in undisturbed.points.iter().enumerate() {
        let events: &[Event] = match point.sort {
            Sort::Write => &OF_WRITES,
            Sort::Operation => &OF_OPERATIONS,
            Sort::Read => &OF_READS,
        };
        let acts = acts(scenario, undisturbed, next_versions, index);
        let unseen = point.sort == Sort::Write && acts.contains(&Act::DeleteObjects);
        let events = events.iter().cloned().chain(acts.into_iter().map(Event::Before));
        let events = events.chain(
            meanwhile(scenario, undisturbed, index)
                .into_iter()
                .map(Event::Meanwhile),
        );
        let events = events.chain(unseen.then_some(Event::DeletedUnseen));
        all.extend(events.map(|event| Disturbance::At(point.clone(), event)));
    }
    for resource in &undisturbed.history.watches {
        all.extend(OF_WATCHES.map(|blindness| Disturbance::Watch(resource.clone(), blindness)));
    }
    all.push(Disturbance::NothingIsDesired);
    all.into_iter().map(Plan::one).collect()
}

/// What somebody else may do just before a point.
fn acts(scenario: &Scenario, undisturbed: &Outcome, next_versions: usize, index: usize) -> Vec<Act> {
    let point = &undisturbed.points[index];
    if point.sort == Sort::Read {
        return Vec::new();
    }
    let mut acts = Vec::new();
    let step = step_of(undisturbed, index);
    let is_deleted = matches!(scenario.steps.get(step), Some(Step::Delete(_)));
    for (place, child) in &undisturbed.history.children {
        acts.push(Act::ReplaceChild(place.clone()));
        if !child.is_there(index) {
            continue;
        }
        // Who edits a child that is going away changes nothing.
        if !is_deleted {
            acts.push(Act::EditChild(place.clone()));
            acts.push(Act::UnlabelChild(place.clone()));
        }
        acts.push(Act::DeleteChild(place.clone()));
        acts.push(Act::CopyChild(place.clone()));
        acts.push(Act::HoldChild(place.clone()));
    }
    acts.push(Act::Pause);
    let all_go = matches!(scenario.steps.last(), Some(Step::Delete(_)));
    if all_go && !is_deleted {
        acts.push(Act::DeleteForeground);
        acts.push(Act::DeleteObjects);
        acts.push(Act::DeleteRaced);
    }
    let upgrades = scenario.steps.iter().any(|step| matches!(step, Step::Upgrade));
    if next_versions > 0 && !upgrades {
        acts.push(Act::Upgrade);
    }
    acts
}

/// What somebody else may do with a child that was just written, before the operator knows.
fn meanwhile(scenario: &Scenario, undisturbed: &Outcome, index: usize) -> Vec<Act> {
    let point = &undisturbed.points[index];
    let is_deleted = matches!(scenario.steps.get(step_of(undisturbed, index)), Some(Step::Delete(_)));
    if point.sort != Sort::Write || is_deleted {
        return Vec::new();
    }
    let children = undisturbed.history.children.iter();
    let mut written =
        children.filter(|(place, child)| child.is_there(index + 1) && point.what.ends_with(&format!(" {place}")));
    let acts =
        |(place, _): (&Place, _)| [Act::EditChild, Act::UnlabelChild, Act::DeleteChild].map(|act| act(place.clone()));
    written.next().map(acts).into_iter().flatten().collect()
}

/// In which step of the undisturbed run a point is.
pub(super) fn step_of(undisturbed: &Outcome, index: usize) -> usize {
    let begun = undisturbed.starts.iter().filter(|start| **start <= index);
    begun.count().saturating_sub(1)
}

/// Where the operator can crash: its writes and its operations, each counted once.
pub(super) fn crash_points(undisturbed: &Outcome) -> usize {
    let points = undisturbed.points.iter().filter(|point| point.sort != Sort::Read);
    points.collect::<BTreeSet<&Point>>().len()
}

/// So many plans of two things that go wrong, drawn by lot.
pub(super) fn pairs(singles: &[Plan], wanted: usize, seed: u64) -> Vec<Plan> {
    let alone = |plan: &&Plan| plan.acts().any(|act| *act == Act::DeleteRaced);
    let singles: Vec<&Plan> = singles.iter().filter(|plan| !alone(plan)).collect();
    let mut lot = fastrand::Rng::with_seed(seed);
    let mut drawn = BTreeSet::new();
    let possible = singles.len() * singles.len().saturating_sub(1) / 2;
    while drawn.len() < wanted.min(possible) {
        let (a, b) = (lot.usize(..singles.len()), lot.usize(..singles.len()));
        if a != b {
            drawn.insert((a.min(b), a.max(b)));
        }
    }
    let drawn = drawn.into_iter();
    drawn
        .map(|(a, b)| Plan(singles[a].0.iter().chain(&singles[b].0).cloned().collect()))
        .collect()
}
