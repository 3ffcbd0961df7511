//! What differs between two objects (`structured-merge-diff`, `typed.Compare`).

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    atom::{Atom, Kind, List, Map, Place},
    element::PathElement,
    item,
    mismatch::Mismatches,
    order::equal,
    set::FieldSet,
    sides::{empty_list, empty_map, names, scalars},
};

/// What differs. A field is in one of the sets at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison {
    pub(super) removed: FieldSet,
    pub(super) modified: FieldSet,
    pub(super) added: FieldSet,
}

impl Comparison {
    /// Without these fields and what is below them.
    #[must_use]
    pub(super) fn without(self, fields: Option<&FieldSet>) -> Self {
        match fields {
            None => self,
            Some(fields) => Self {
                removed: self.removed.recursive_difference(fields),
                modified: self.modified.recursive_difference(fields),
                added: self.added.recursive_difference(fields),
            },
        }
    }
}

/// What of `right` is not as in `left`.
///
/// # Errors
///
/// The objects do not fit the schema.
pub(super) fn compare(place: Place<'_>, left: &Value, right: &Value) -> Result<Comparison, String> {
    let mut walk = Walk::default();
    walk.compare(place, Some(left), Some(right)).check()?;
    Ok(walk.comparison)
}

#[derive(Default)]
struct Walk {
    path: Vec<PathElement>,
    comparison: Comparison,
}

impl Walk {
    fn compare(&mut self, place: Place<'_>, left: Option<&Value>, right: Option<&Value>) -> Mismatches {
        let atom = place.atom();
        let (of_left, of_right) = (atom.deduce(left), atom.deduce(right));
        let (errors, leaf) = if right.is_none() {
            self.atom(of_left, left, right)
        } else if left.is_none() || of_left.same(&of_right) {
            self.atom(of_right, left, right)
        } else {
            let (mut errors, _) = self.atom(of_left, left, right);
            let (more, leaf) = self.atom(of_right, left, right);
            errors.and(more);
            (errors, leaf)
        };
        if !leaf {
            if left.is_none() {
                self.comparison.added.insert(&self.path);
            } else if right.is_none() {
                self.comparison.removed.insert(&self.path);
            }
        }
        errors
    }

    /// Compares as this kind of value. Also, whether the value was taken as one.
    fn atom(&mut self, atom: Atom<'_>, left: Option<&Value>, right: Option<&Value>) -> (Mismatches, bool) {
        match atom.kind() {
            Some(Kind::Map(map)) => {
                let empty = empty_map(left) && empty_map(right);
                if map.atomic || empty {
                    self.leaf(left, right);
                    return (Mismatches::none(), true);
                }
                (self.fields(&map, left, right), false)
            }
            Some(Kind::List(list)) => {
                let empty = empty_list(left) && empty_list(right);
                if !list.associative || empty {
                    self.leaf(left, right);
                    return (Mismatches::none(), true);
                }
                (self.items(&list, left, right), false)
            }
            Some(Kind::Scalar(scalar)) => match scalars(scalar, left, right) {
                Some(errors) => (errors, false),
                None => {
                    self.leaf(left, right);
                    (Mismatches::none(), true)
                }
            },
            None => (Mismatches::one("schema error: invalid atom: inlined"), false),
        }
    }

    fn leaf(&mut self, left: Option<&Value>, right: Option<&Value>) {
        let set = match (left, right) {
            (None, _) => &mut self.comparison.added,
            (_, None) => &mut self.comparison.removed,
            (Some(left), Some(right)) if !equal(left, right) => &mut self.comparison.modified,
            _ => return,
        };
        set.insert(&self.path);
    }

    fn fields(&mut self, map: &Map<'_>, left: Option<&Value>, right: Option<&Value>) -> Mismatches {
        let (left, right) = (left.and_then(Value::as_object), right.and_then(Value::as_object));
        let mut errors = Mismatches::none();
        for name in names(left, right) {
            let (left, right) = (left.and_then(|it| it.get(name)), right.and_then(|it| it.get(name)));
            self.path.push(PathElement::Field(name.into()));
            let below = self.compare(map.field(name), left, right);
            self.finish(&mut errors, below);
        }
        errors
    }

    fn items(&mut self, list: &List<'_>, left: Option<&Value>, right: Option<&Value>) -> Mismatches {
        let mut errors = Mismatches::none();
        let mut pairs: BTreeMap<PathElement, (Vec<&Value>, Vec<&Value>)> = BTreeMap::new();
        for (items, is_left) in [(left, true), (right, false)] {
            for (index, it) in items.and_then(Value::as_array).into_iter().flatten().enumerate() {
                match item::element(list, it) {
                    Err(message) => errors.and(Mismatches::one(format!("element {index}: {message}"))),
                    Ok(element) => {
                        let pair = pairs.entry(element).or_default();
                        if is_left { pair.0.push(it) } else { pair.1.push(it) }
                    }
                }
            }
        }
        for (element, (left, right)) in pairs {
            self.path.push(element);
            let below = self.same_key(list, &left, &right);
            self.finish(&mut errors, below);
        }
        errors
    }

    /// Compares the items with one key. Where there are several, they count as one value.
    fn same_key(&mut self, list: &List<'_>, left: &[&Value], right: &[&Value]) -> Mismatches {
        let first = |items: &[&Value]| -> Option<Value> { items.first().map(|it| (*it).clone()) };
        match (left.len(), right.len()) {
            (0 | 1, 0 | 1) => self.compare(list.items, left.first().copied(), right.first().copied()),
            (2.., 2..) => {
                if left.len() != right.len() || left.iter().zip(right).any(|(left, right)| !equal(left, right)) {
                    self.comparison.modified.insert(&self.path);
                }
                Mismatches::none()
            }
            (2.., _) => {
                let errors = match first(right) {
                    Some(right) => self.compare(list.items, None, Some(&right)),
                    None => Mismatches::none(),
                };
                self.comparison.removed.insert(&self.path);
                errors
            }
            _ => {
                let errors = match first(left) {
                    Some(left) => self.compare(list.items, Some(&left), None),
                    None => Mismatches::none(),
                };
                self.comparison.added.insert(&self.path);
                errors
            }
        }
    }

    fn finish(&mut self, errors: &mut Mismatches, below: Mismatches) {
        if let Some(element) = self.path.pop()
            && !below.is_empty()
        {
            errors.below(&element, below);
        }
    }
}
