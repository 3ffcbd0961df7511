//! Which types are in a kind, and where.

use std::collections::{HashSet, VecDeque};

use operatorkit_apiserver::schema::Schema;

/// A step down in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To a field.
    Field(Box<str>),
    /// To an item of a list, or a value of a map.
    Inside,
}

/// The types that a schema contains, each with its shortest path.
pub(super) fn types(root: Schema<'_>) -> Vec<(Box<str>, Vec<Step>)> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut next = VecDeque::from([(root, Vec::new())]);
    while let Some((schema, path)) = next.pop_front() {
        if let Some(name) = &schema.node().name {
            if !seen.insert(name) {
                continue;
            }
            if !schema.properties.is_empty() {
                found.push((name.clone(), path.clone()));
            }
        }
        let fields = schema
            .properties
            .keys()
            .filter_map(|name| Some((schema.property(name)?, Step::Field(name.clone()))));
        let inside = schema
            .items()
            .or(schema.additional())
            .map(|inner| (inner, Step::Inside));
        for (inner, step) in fields.chain(inside) {
            next.push_back((inner, [path.as_slice(), &[step]].concat()));
        }
    }
    found
}
