//! The metadata of an object that is a [`Value`].

use serde_json::{Map, Value};

/// A text in the metadata; empty if it is not there.
pub fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object["metadata"][field].as_str().unwrap_or_default()
}

/// Its name.
pub fn name(object: &Value) -> &str {
    text(object, "name")
}

/// Its namespace; empty for cluster-scoped objects.
pub fn namespace(object: &Value) -> &str {
    text(object, "namespace")
}

/// Its UID.
pub fn uid(object: &Value) -> &str {
    text(object, "uid")
}

/// Its metadata, made if there is none.
///
/// # Panics
///
/// If the object is something else than a JSON object.
pub fn metadata_mut(object: &mut Value) -> &mut Map<String, Value> {
    let metadata = &mut object["metadata"];
    if !metadata.is_object() {
        *metadata = Value::Object(Map::new());
    }
    metadata.as_object_mut().expect("it was just made one")
}

/// Whether it is being deleted.
pub fn is_deleting(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

/// Its finalizers.
pub fn finalizers(object: &Value) -> impl Iterator<Item = &str> {
    object["metadata"]["finalizers"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// Sets its finalizers; none at all if there are none left.
pub fn set_finalizers(object: &mut Value, finalizers: Vec<String>) {
    let metadata = metadata_mut(object);
    if finalizers.is_empty() {
        metadata.remove("finalizers");
    } else {
        metadata.insert("finalizers".into(), finalizers.into());
    }
}

/// Its owner references.
pub fn owners(object: &Value) -> impl Iterator<Item = &Value> {
    object["metadata"]["ownerReferences"].as_array().into_iter().flatten()
}

/// Its generation; 0 if it has none.
pub fn generation(object: &Value) -> i64 {
    object["metadata"]["generation"].as_i64().unwrap_or(0)
}

/// Makes its generation one greater, if it has one.
pub fn bump_generation(object: &mut Value) {
    let generation = generation(object);
    if generation > 0 {
        metadata_mut(object).insert("generation".into(), (generation + 1).into());
    }
}

/// Puts a condition in its place, by `type`; `lastTransitionTime` stays if its `status` does.
pub fn set_condition(conditions: &mut Value, mut condition: Value) {
    if !conditions.is_array() {
        *conditions = Value::Array(Vec::new());
    }
    let Some(all) = conditions.as_array_mut() else { return };
    match all.iter_mut().find(|it| it["type"] == condition["type"]) {
        Some(there) => {
            if there["status"] == condition["status"] {
                condition["lastTransitionTime"] = there["lastTransitionTime"].clone();
            }
            *there = condition;
        }
        None => all.push(condition),
    }
}

/// Takes out owner references that stand there twice; their UIDs.
pub fn dedup_owners(object: &mut Value) -> Vec<String> {
    let mut duplicates = Vec::new();
    let Some(owners) = object["metadata"]
        .get_mut("ownerReferences")
        .and_then(Value::as_array_mut)
    else {
        return duplicates;
    };
    let mut seen: Vec<Value> = Vec::new();
    owners.retain(|owner| {
        let again = seen.contains(owner);
        if again {
            duplicates.push(owner["uid"].as_str().unwrap_or_default().to_owned());
        } else {
            seen.push(owner.clone());
        }
        !again
    });
    duplicates
}
