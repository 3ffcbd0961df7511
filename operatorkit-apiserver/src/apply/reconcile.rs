//! Brings sets of fields up to a schema in which something has become atomic
//! (`structured-merge-diff`, `typed.ReconcileFieldSetWithSchema`).

use super::{
    atom::{Kind, Place},
    element::PathElement,
    set::{Branch, FieldSet},
};

/// The set as it is under this schema: who owned something inside of what is now one value owns that value.
pub(super) fn reconcile(place: Place<'_>, set: FieldSet) -> FieldSet {
    let mut atomic = FieldSet::new();
    walk(place, &set, false, &mut Vec::new(), &mut atomic);
    if atomic.is_empty() {
        return set;
    }
    set.recursive_difference(&atomic).union(&atomic)
}

/// `leaf`: the set says of this place that it is a member, and nothing of what is below it.
fn walk(place: Place<'_>, set: &FieldSet, leaf: bool, path: &mut Vec<PathElement>, atomic: &mut FieldSet) {
    match place.atom().kind() {
        Some(Kind::Map(map)) if map.is_deduced() => {}
        Some(Kind::Map(map)) => {
            if !leaf && map.atomic {
                if !set.is_empty() {
                    atomic.insert(path);
                }
                return;
            }
            for (element, branch) in &set.branches {
                let below = match element {
                    PathElement::Field(name) => map.field(name),
                    _ => map.field(""),
                };
                if !matches!(below, Place::Nothing) {
                    descend(below, element, branch, path, atomic);
                }
            }
        }
        Some(Kind::List(list)) => {
            if !leaf && !list.associative {
                atomic.insert(path);
                return;
            }
            for (element, branch) in &set.branches {
                descend(list.items, element, branch, path, atomic);
            }
        }
        Some(Kind::Scalar(_)) | None => {}
    }
}

fn descend(
    place: Place<'_>,
    element: &PathElement,
    branch: &Branch,
    path: &mut Vec<PathElement>,
    atomic: &mut FieldSet,
) {
    path.push(element.clone());
    let leaf = branch.member && branch.children.is_empty();
    walk(place, &branch.children, leaf, path, atomic);
    path.pop();
}
