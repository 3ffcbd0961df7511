//! What there was in a run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::explorer::plan::Place;

/// What there was in a run.
#[derive(Clone, Debug, Default)]
pub(in crate::explorer) struct History {
    /// The resources that the operator watched.
    pub(in crate::explorer) watches: BTreeSet<String>,
    pub(in crate::explorer) children: BTreeMap<Place, Child>,
}

impl History {
    /// A child is made, after so many points.
    pub(super) fn made(&mut self, place: &Place, object: &Value, point: usize) {
        let child = self.children.entry(place.clone()).or_insert_with(|| Child {
            object: object.clone(),
            made: 0,
            lives: Vec::new(),
        });
        child.made += 1;
        child.lives.push((point, usize::MAX));
    }

    /// An object is gone, after so many points.
    pub(super) fn gone(&mut self, place: &Place, point: usize) {
        let child = self.children.get_mut(place);
        if let Some((_, to)) = child.and_then(|child| child.lives.last_mut()) {
            *to = point;
        }
    }
}

/// A child that there was.
#[derive(Clone, Debug)]
pub(in crate::explorer) struct Child {
    /// As it was made first.
    pub(in crate::explorer) object: Value,
    /// How often it was made.
    pub(in crate::explorer) made: u32,
    /// From which point on it was there each time, and from which no more.
    lives: Vec<(usize, usize)>,
}

impl Child {
    /// Whether it is there just before a point.
    pub(in crate::explorer) fn is_there(&self, point: usize) -> bool {
        self.lives.iter().any(|(from, to)| (*from..*to).contains(&point))
    }
}
