//! What holds of all patches.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{decode::tests::openapi, patch};

fn document() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-c<é\"]{0,3}".prop_map(Value::from),
    ];
    let value = scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-d]", inner, 0..4).prop_map(|it| it.into_iter().collect()),
        ]
    });
    proptest::collection::btree_map("[a-d]", value, 0..4).prop_map(|it| it.into_iter().collect())
}

/// A merge patch that makes `to` of `from`.
fn difference(from: &Value, to: &Value) -> Value {
    let (Value::Object(from), Value::Object(to)) = (from, to) else {
        return to.clone();
    };
    let mut patch = Map::new();
    for key in from.keys().filter(|key| !to.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    for (key, value) in to {
        match from.get(key) {
            Some(there) if there == value => {}
            Some(there) => drop(patch.insert(key.clone(), difference(there, value))),
            None => drop(patch.insert(key.clone(), value.clone())),
        }
    }
    Value::Object(patch)
}

proptest! {
    #[test]
    fn a_merge_patch_of_the_difference_makes_the_other(from in document(), to in document()) {
        let patch = difference(&from, &to).to_string();
        prop_assert_eq!(patch::merge(&from, patch.as_bytes()).unwrap(), to);
    }

    #[test]
    fn a_json_patch_tests_what_is_written(document in document()) {
        let patch = json!([{"op": "replace", "path": "", "value": document}]).to_string();
        prop_assert_eq!(patch::json(&json!({}), patch.as_bytes()).unwrap(), document);
    }

    #[test]
    fn an_empty_strategic_patch_changes_nothing(document in document()) {
        let schema = openapi::api("apps.v1.Deployment");
        prop_assert_eq!(patch::strategic(&document, b"{}", schema).unwrap(), document);
    }

    #[test]
    fn any_patch_applies_or_is_refused(object in document(), patch in document(), directive in "(\\$patch|\\$retainKeys|\\$setElementOrder/a|\\$deleteFromPrimitiveList/b)?") {
        let mut patch = patch;
        if !directive.is_empty() {
            let value = patch["a"].take();
            patch[directive] = value;
        }
        let text = patch.to_string();
        let schema = openapi::api("apps.v1.Deployment");
        let deployment = json!({"metadata": {"labels": object.clone()}, "spec": object.clone()});
        let _ = patch::strategic(&deployment, json!({"spec": patch}).to_string().as_bytes(), schema);
        let _ = patch::strategic(&object, text.as_bytes(), schema);
        let _ = patch::merge(&object, text.as_bytes());
        let operations = json!([{"op": "add", "path": "/a/0", "value": patch}, {"op": "move", "from": "/a", "path": "/b/-"}]);
        let _ = patch::json(&object, operations.to_string().as_bytes());
    }

    #[test]
    fn any_bytes_are_a_patch_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let object = json!({"a": [1]});
        let schema = openapi::api("apps.v1.Deployment");
        let _ = patch::json(&object, &bytes);
        let _ = patch::merge(&object, &bytes);
        let _ = patch::strategic(&object, &bytes, schema);
    }
}
