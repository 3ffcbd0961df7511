//! Whether a change is a new generation.

use serde_json::Value;

use super::edit;
use crate::validation::at::same;

/// Whether what stands at a place, dots between names, is another thing now.
pub(super) fn differs(new: &Value, old: &Value, place: &str) -> bool {
    let path: Vec<_> = place.split('.').collect();
    let (new, old) = (edit::get(new, &path), edit::get(old, &path));
    !same(new, old) || !same_structs(new, old)
}

/// The fields that are maps: an empty one is as good as none, while an empty struct is not.
const MAPS: [&str; 7] = [
    "annotations",
    "labels",
    "limits",
    "matchLabels",
    "nodeSelector",
    "overhead",
    "requests",
];

/// Whether the same structs are there, of two values that are the same otherwise.
fn same_structs(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            let is_struct = |(key, value): (&String, &Value)| value.is_object() && !MAPS.contains(&key.as_str());
            new.iter().all(|(key, value)| {
                old.get(key)
                    .map_or(!is_struct((key, value)), |old| same_structs(value, old))
            }) && old
                .iter()
                .filter(|it| is_struct(*it))
                .all(|(key, _)| new.contains_key(key))
        }
        (Value::Array(new), Value::Array(old)) => new.iter().zip(old).all(|(new, old)| same_structs(new, old)),
        _ => true,
    }
}
