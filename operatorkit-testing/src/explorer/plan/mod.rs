//! What goes wrong in a run: a few disturbances, each at its point.

mod point;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use self::point::{Point, Sort};

/// What goes wrong in a run. Nothing does in the undisturbed one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Plan(pub Vec<Disturbance>);

/// One thing that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Disturbance {
    /// At a request of the operator, or at an operation of a resource.
    At(Point, Event),
    /// A watch shows less than it should, or later.
    Watch(String, Blindness),
    /// Nothing that a spec asks for can be worked out or made from the first deletion on: `desired`, `create` and their like fail.
    NothingIsDesired,
}

/// What happens at a point.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// The operator is killed before it.
    KilledBefore,
    /// The operator is killed after it, before it learns of the answer.
    KilledAfter,
    /// The same; and what it lists first when it is back is as before this point, since a cache of the API server is behind.
    KilledAfterAndRewound,
    /// The same; and before it is back a user deletes the objects, and the watch lags as well.
    DeletedUnseen,
    /// It is done, and the connection breaks before the answer.
    AnswerLost,
    /// It is not done.
    Fails(Refusal),
    /// It is not done, nor is its like, for so many seconds.
    KeepsFailing(Refusal, u64),
    /// It is done, and an error is answered all the same.
    FailsThoughDone(Refusal),
    /// Somebody else is faster.
    Before(Act),
    /// It is done, and somebody else acts before the answer comes: watches show both first.
    Meanwhile(Act),
}

/// How a request is refused. For an operation outside of Kubernetes all of them are one: an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// 409: somebody else has changed it.
    Conflict,
    /// 429 with `Retry-After`.
    TooManyRequests,
    /// 500.
    InternalError,
    /// 503.
    Unavailable,
    /// 504.
    Timeout,
    /// An admission webhook says no.
    Denied,
    /// An admission webhook cannot be reached.
    WebhookGone,
    /// There is no answer, and the connection stays.
    Silence,
    /// The connection breaks.
    Broken,
}

/// What somebody else does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Act {
    /// A user deletes a child.
    DeleteChild(Place),
    /// A user changes what the operator has written into a child.
    EditChild(Place),
    /// A user takes our labels off a child.
    UnlabelChild(Place),
    /// A user puts an object of their own in the place of a child, with the same labels; five minutes later they remove it.
    ReplaceChild(Place),
    /// A user makes a copy of a child under another name, with all labels and annotations.
    CopyChild(Place),
    /// A user puts a finalizer of their own on a child; five minutes later they take it off.
    HoldChild(Place),
    /// A user pauses the objects; ten minutes later they go on.
    Pause,
    /// A user deletes the objects, and asks for a foreground cascade.
    DeleteForeground,
    /// A user deletes the objects.
    DeleteObjects,
    /// A user deletes the objects, and the API server has read them before there was a finalizer: they are gone, though there is one
    /// (kubernetes#77988). It is not one of two things that go wrong: what nobody sees, since the operator is killed, nobody undoes.
    DeleteRaced,
    /// The operator is killed, and its next version starts.
    Upgrade,
}

/// Where an object is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The plural, with the group if it has one.
    pub resource: String,
    /// Empty if it is in none.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// How a watch goes blind. Events are counted from the first one of the operator's first watch over the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Blindness {
    /// It ends in order after so many events.
    Ends(u64),
    /// The connection breaks after so many events.
    Breaks(u64),
    /// It is told after so many events that its version is too old, so that what happens until the next list is not shown.
    Expires(u64),
    /// After so many events the connection is dead, and nobody tells.
    Silent(u64),
    /// Several changes of an object are shown as one.
    Coalesced,
    /// Every event comes so many seconds late.
    Late(u64),
}

impl Plan {
    /// One thing goes wrong.
    pub(super) fn one(disturbance: Disturbance) -> Self {
        Self(vec![disturbance])
    }

    /// Whether something happens in it that changes what is there in the end, or how often things are made: somebody else acts.
    pub(super) fn has_acts(&self) -> bool {
        self.acts().next().is_some()
    }

    pub(super) fn acts(&self) -> impl Iterator<Item = &Act> {
        self.0.iter().filter_map(|it| match it {
            Disturbance::At(_, Event::Before(act) | Event::Meanwhile(act)) => Some(act),
            Disturbance::At(_, Event::DeletedUnseen) => Some(&Act::DeleteObjects),
            _ => None,
        })
    }
}

impl Act {
    /// The objects are deleted by it: steps after it find nothing, and only the end can be compared.
    pub(super) fn ends_lives(&self) -> bool {
        matches!(self, Self::DeleteForeground | Self::DeleteObjects | Self::DeleteRaced)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        write!(f, "{} {}{slash}{}", self.resource, self.namespace, self.name)
    }
}
