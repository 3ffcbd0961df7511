//! What the others of a run ask the judge.

use operatorkit_apiserver::ObjectChange;
use serde_json::Value;

use super::{Judge, model};
use crate::explorer::{outside::Thing, plan::Place};

impl Judge {
    /// Whether an object is the operator's business: it looks after it, has made it, or must leave it alone.
    pub(in crate::explorer) fn concerns(&self, object: &ObjectChange) -> bool {
        self.model.concerns(&model::place(object))
    }

    /// Whether an object was left behind by the operator.
    pub(in crate::explorer) fn is_released(&self, object: &ObjectChange) -> bool {
        self.model
            .get(&model::place(object))
            .is_some_and(|seen| seen.is_released)
    }

    /// Whether a thing is left behind by the operator.
    pub(in crate::explorer) fn is_kept(&self, thing: &Thing) -> bool {
        self.model.is_kept(thing)
    }

    /// A child as it is now.
    pub(in crate::explorer) fn child(&self, place: &Place) -> Option<Value> {
        let seen = self.model.get(place).filter(|seen| seen.mark.is_some())?;
        Some(seen.object.clone())
    }

    /// The version in which an object was made.
    pub(in crate::explorer) fn made_in(&self, place: &Place) -> Option<u64> {
        Some(self.model.get(place)?.made_in)
    }

    /// Whether an object is there.
    pub(in crate::explorer) fn is_there(&self, place: &Place) -> bool {
        self.model.get(place).is_some()
    }

    /// A child as it was made in the undisturbed run.
    pub(in crate::explorer) fn expected(&self, place: &Place) -> Option<Value> {
        let child = self.known.as_ref()?.children.get(place)?;
        Some(child.object.clone())
    }
}
