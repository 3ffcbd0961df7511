//! What must hold at every moment of a run, checked at each change of an object and of a thing outside.
//!
//! | module | what |
//! |---|---|
//! | `record` | what operatorkit stores: marks, inventories, slots, tokens; read here by itself, as a judge reads the law and not the accused |
//! | `model` | what is there now |
//! | `history` | what there was |
//! | `rules` | what must hold, one function each |
//! | `queries` | what others ask |

mod history;
mod model;
mod queries;
mod record;
mod rules;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use bytes::Bytes;
use http::StatusCode;
use operatorkit_apiserver::{ObjectChange, store::ChangeKind};
use serde_json::Value;

pub(super) use self::history::History;
use self::{
    model::{Model, Seen},
    record::Mark,
};
use super::{outside::Thing, scenario::Target};

/// Who has changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Operator,
    Others,
}

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// When, since the run began.
    pub at: Duration,
    /// Which rule.
    pub rule: &'static str,
    /// What was seen.
    pub seen: String,
}

/// Looks at all that happens in a run.
pub(super) struct Judge {
    pub(super) history: History,
    pub(super) violations: Vec<Violation>,
    /// What there was in the undisturbed run; `None` in that one itself.
    known: Option<History>,
    model: Model,
    /// How many points were crossed.
    points: usize,
    /// Writes to children that were refused and did not succeed since, with the UID of the owner.
    owing: BTreeMap<String, String>,
    /// Writes that the server has refused for their content, and did not take since.
    unchangeable: BTreeSet<String>,
}

impl Judge {
    pub(super) fn new(there: &[ObjectChange], objects: &[Target], known: Option<History>) -> Self {
        Self {
            history: History::default(),
            violations: Vec::new(),
            known,
            model: Model::new(there, objects),
            points: 0,
            owing: BTreeMap::new(),
            unchangeable: BTreeSet::new(),
        }
    }

    /// Looks at one change; the line of the timeline that tells of it.
    pub(super) fn change(&mut self, change: &ObjectChange, author: Author, at: Duration) -> Option<String> {
        let place = model::place(change);
        let mut after = (change.kind != ChangeKind::Deleted).then(|| Seen::new(&change.object));
        if let Some(seen) = after.as_mut().filter(|_| change.kind == ChangeKind::Added) {
            seen.is_own = author == Author::Operator;
        }
        let moment = rules::Moment {
            model: &self.model,
            owing: &self.owing,
            unchangeable: &self.unchangeable,
            place: &place,
            before: self.model.get(&place),
            after: after.as_ref(),
            author,
            at,
        };
        let mut found = Vec::new();
        for (rule, check) in rules::OF_CHANGES {
            found.extend(check(&moment).map(|seen| (*rule, seen)));
        }
        let text = told(change, &moment);
        match &after {
            Some(seen) if seen.mark.is_some() && moment.before.is_none() => {
                self.history.made(&place, &seen.object, self.points);
            }
            Some(_) => {}
            None => self.history.gone(&place, self.points),
        }
        self.model.set(place, after, at);
        for (rule, seen) in found {
            self.found(at, rule, seen);
        }
        text
    }

    /// The operator has come to its next point.
    pub(super) fn crossed(&mut self) {
        self.points += 1;
    }

    /// Looks at what is outside, where only the operator acts; the lines of the timeline that tell what has changed.
    pub(super) fn outside(&mut self, things: Vec<Thing>, at: Duration) -> Vec<String> {
        if self.model.things == things {
            return Vec::new();
        }
        let (made, gone) = self.model.compared(&things);
        let mut lines = Vec::new();
        let before = std::mem::replace(&mut self.model.things, things);
        for thing in &made {
            lines.push(format!("outside    + {}", thing.id));
        }
        for thing in &gone {
            lines.push(format!("outside    - {}", thing.id));
        }
        if made.is_empty() && gone.is_empty() {
            lines.push("outside    changed".into());
        }
        for (rule, seen) in rules::of_outside(&self.model, &before, &made, &gone, at) {
            self.found(at, rule, seen);
        }
        lines
    }

    /// The operator begins to remove what a resource of the object with this UID has made, in a pass in one of the directions.
    pub(super) fn removes(&mut self, uid: &str, resource: &str, backwards: bool) {
        self.model.removes(uid, resource, backwards);
        if backwards {
            // What is deleted from then on is not made again.
            let children = self.model.children(uid).map(|(place, ..)| format!(" {place}"));
            let children: Vec<_> = children.collect();
            self.unchangeable
                .retain(|what| !children.iter().any(|child| what.ends_with(child)));
        }
    }

    /// A write that the plan refuses.
    pub(super) fn refused(&mut self, what: &str, body: &Bytes) {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        if let Some(mark) = Mark::on(&body) {
            self.owing.insert(what.to_owned(), mark.uid);
        }
    }

    /// A write that the server has answered.
    pub(super) fn answered(&mut self, what: &str, status: StatusCode) {
        if status.is_success() {
            self.owing.remove(what);
            self.unchangeable.remove(what);
        } else if status == StatusCode::UNPROCESSABLE_ENTITY {
            self.unchangeable.insert(what.to_owned());
        }
    }

    /// The run is over: what must hold when all is quiet.
    pub(super) fn end(&mut self, at: Duration, broken_off: bool, acts: bool) {
        if broken_off {
            return;
        }
        for seen in rules::left_behind(&self.model) {
            self.found(at, rules::LEFT, seen);
        }
        let Some(known) = self.known.take().filter(|_| !acts) else {
            return;
        };
        for (place, child) in &self.history.children {
            let expected = known.children.get(place).map_or(0, |child| child.made);
            if child.made != expected {
                let seen = format!("{place} was made {} times, not {expected}", child.made);
                self.violations.push(Violation {
                    at,
                    rule: rules::TWICE,
                    seen,
                });
            }
        }
    }

    /// A rule does not hold, as somebody else has seen.
    pub(super) fn found(&mut self, at: Duration, rule: &'static str, seen: String) {
        self.violations.push(Violation { at, rule, seen });
    }
}

/// The line of a change by somebody else; the operator's own stand at its requests.
fn told(change: &ObjectChange, moment: &rules::Moment<'_>) -> Option<String> {
    if moment.author == Author::Operator && change.kind != ChangeKind::Deleted {
        return None;
    }
    let sign = match change.kind {
        ChangeKind::Added => '+',
        ChangeKind::Modified => '~',
        ChangeKind::Deleted => '-',
    };
    Some(format!("cluster    {sign} {}", moment.place))
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.seen)
    }
}
