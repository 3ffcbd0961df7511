//! Lays one object over another (`structured-merge-diff`, `typed.Merge`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    atom::{Atom, Kind, List, Map, Place},
    element::PathElement,
    item,
    mismatch::Mismatches,
    sides::{empty_list, empty_map, names, scalars},
};

/// `left` with everything that `right` says. Nothing is removed; a list that `right` changes has its order.
///
/// # Errors
///
/// The objects do not fit the schema.
pub(super) fn merge(place: Place<'_>, left: &Value, right: &Value) -> Result<Value, String> {
    let (merged, errors) = values(place, Some(left), Some(right));
    errors.check()?;
    Ok(merged.unwrap_or_default())
}

type Merged = (Option<Value>, Mismatches);

fn values(place: Place<'_>, left: Option<&Value>, right: Option<&Value>) -> Merged {
    let atom = place.atom();
    let (of_left, of_right) = (atom.deduce(left), atom.deduce(right));
    if right.is_none() {
        return as_atom(of_left, left, right);
    }
    if left.is_none() || of_left.same(&of_right) {
        return as_atom(of_right, left, right);
    }
    let (_, mut errors) = as_atom(of_left, left, right);
    let (merged, more) = as_atom(of_right, left, right);
    errors.and(more);
    (merged, errors)
}

fn as_atom(atom: Atom<'_>, left: Option<&Value>, right: Option<&Value>) -> Merged {
    let leaf = || (right.or(left).cloned(), Mismatches::none());
    match atom.kind() {
        Some(Kind::Map(map)) if map.atomic || (empty_map(left) && empty_map(right)) => leaf(),
        Some(Kind::Map(map)) => fields(&map, left, right),
        Some(Kind::List(list)) if !list.associative || (empty_list(left) && empty_list(right)) => leaf(),
        Some(Kind::List(list)) => items(&list, left, right),
        Some(Kind::Scalar(scalar)) => match scalars(scalar, left, right) {
            Some(errors) => (None, errors),
            None => leaf(),
        },
        None => (None, Mismatches::one("schema error: invalid atom: inlined")),
    }
}

fn fields(map: &Map<'_>, left: Option<&Value>, right: Option<&Value>) -> Merged {
    let (left, right) = (left.and_then(Value::as_object), right.and_then(Value::as_object));
    let mut merged = serde_json::Map::new();
    let mut errors = Mismatches::none();
    for name in names(left, right) {
        let (left, right) = (left.and_then(|it| it.get(name)), right.and_then(|it| it.get(name)));
        let (value, below) = values(map.field(name), left, right);
        if !below.is_empty() {
            errors.below(&PathElement::Field(name.into()), below);
        }
        if let Some(value) = value {
            merged.insert(name.to_owned(), value);
        }
    }
    ((!merged.is_empty()).then_some(Value::Object(merged)), errors)
}

/// One list, its items named. Of duplicates on the left nothing is merged, so they stand as null.
struct Named<'a> {
    elements: Vec<PathElement>,
    values: BTreeMap<PathElement, &'a Value>,
}

impl<'a> Named<'a> {
    fn new(list: &List<'_>, value: Option<&'a Value>, duplicates: bool, errors: &mut Mismatches) -> Self {
        let mut named = Self {
            elements: Vec::new(),
            values: BTreeMap::new(),
        };
        for (index, it) in value.and_then(Value::as_array).into_iter().flatten().enumerate() {
            let element = match item::element(list, it) {
                Ok(element) => element,
                Err(message) => {
                    errors.and(Mismatches::one(format!("element {index}: {message}")));
                    continue;
                }
            };
            let known = named.values.contains_key(&element);
            if known && !duplicates {
                errors.and(Mismatches::one(format!("duplicate entries for key {element}")));
                continue;
            }
            named
                .values
                .insert(element.clone(), if known { &Value::Null } else { it });
            named.elements.push(element);
        }
        named
    }

    fn get(&self, element: &PathElement) -> Option<&'a Value> {
        self.values.get(element).copied()
    }
}

/// Merges two lists of named items. The order is the right one's, and the items that only the left one has stay as near
/// to their neighbours as that allows.
fn items(list: &List<'_>, left: Option<&Value>, right: Option<&Value>) -> Merged {
    let mut errors = Mismatches::none();
    let theirs = Named::new(list, right, false, &mut errors);
    let ours = Named::new(list, left, true, &mut errors);
    if !errors.is_empty() {
        return (None, errors);
    }
    let all_left: &[Value] = left.and_then(Value::as_array).map_or(&[], Vec::as_slice);
    let mut shared = theirs.elements.iter().filter(|it| ours.values.contains_key(*it));
    let mut next_shared = shared.next();
    let mut done = BTreeSet::new();
    let mut out = Vec::with_capacity(ours.elements.len().max(theirs.elements.len()));
    // What does not fit below an item is not told, as in the real server.
    let mut push = |left: Option<&Value>, right: Option<&Value>| out.extend(values(list.items, left, right).0);
    let (mut l, mut r) = (0, 0);
    while l < ours.elements.len() || r < theirs.elements.len() {
        if let (Some(mine), Some(other)) = (ours.elements.get(l), theirs.elements.get(r)) {
            if mine == other {
                done.insert(mine);
                push(ours.get(mine), theirs.get(mine));
                (l, r) = (l + 1, r + 1);
                next_shared = shared.next();
                continue;
            }
            if theirs.values.contains_key(mine) && next_shared.is_some_and(|it| it != mine) {
                // A shared item, and not the one whose turn it is.
                l += 1;
                continue;
            }
        }
        if let Some(mine) = ours.elements.get(l) {
            if !theirs.values.contains_key(mine) {
                push(all_left.get(l), None);
                l += 1;
                continue;
            } else if done.contains(mine) {
                l += 1;
            }
        }
        if let Some(other) = theirs.elements.get(r) {
            done.insert(other);
            push(ours.get(other), theirs.get(other));
            r += 1;
            if next_shared.is_some_and(|it| it == other) {
                next_shared = shared.next();
            }
        }
    }
    ((!out.is_empty()).then_some(Value::Array(out)), errors)
}
