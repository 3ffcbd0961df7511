//! A change of nothing but times is none (`apiserver`, `handlers/fieldmanager/equality.go`).

use serde_json::Value;

use super::order::equal;

/// Sets the times in `managedFields` back to those of `live` if nothing else differs: then the objects are equal, and
/// nothing is to be written. For every update of a stored object, after the strategy, with `resourceVersion` as in `live`.
pub fn keep_times(live: &Value, new: &mut Value) {
    let (Some(old), Some(entries)) = (entries(live), entries(new)) else {
        return;
    };
    if old.len() != entries.len() || !old.iter().zip(entries).all(|(old, new)| same_but_time(old, new)) {
        return;
    }
    let old = old.clone();
    if let (Value::Object(live), Value::Object(new)) = (live, &*new)
        && !same_but_entries(live, new)
    {
        return;
    }
    new["metadata"]["managedFields"] = Value::Array(old);
}

fn entries(object: &Value) -> Option<&Vec<Value>> {
    object["metadata"].get("managedFields")?.as_array()
}

fn same_but_time(old: &Value, new: &Value) -> bool {
    same_but(old, new, "time")
}

fn same_but_entries(old: &serde_json::Map<String, Value>, new: &serde_json::Map<String, Value>) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|((old_name, old), (new_name, new))| {
            old_name == new_name
                && if old_name == "metadata" {
                    same_but(old, new, "managedFields")
                } else {
                    equal(old, new)
                }
        })
}

/// Whether two objects are equal but for one field.
fn same_but(old: &Value, new: &Value, name: &str) -> bool {
    let (Value::Object(old), Value::Object(new)) = (old, new) else {
        return equal(old, new);
    };
    let (mut old, mut new) = (
        old.iter().filter(|it| it.0 != name),
        new.iter().filter(|it| it.0 != name),
    );
    loop {
        match (old.next(), new.next()) {
            (None, None) => return true,
            (Some(old), Some(new)) if old.0 == new.0 && equal(old.1, new.1) => {}
            _ => return false,
        }
    }
}
