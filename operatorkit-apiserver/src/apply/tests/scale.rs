//! `/scale` carries who owns the replicas. The cases against the real server are in `replay`.

use serde_json::{Value, json};

use crate::apply::Scale;

const REPLICAS: &[(&str, Option<&[&str]>)] = &[("apps/v1", Some(&["spec", "replicas"]))];

fn entry(manager: &str, operation: &str, version: &str, fields: &Value) -> Value {
    json!({ "manager": manager, "operation": operation, "apiVersion": version, "fieldsType": "FieldsV1",
        "fieldsV1": { "f:spec": fields } })
}

#[test]
fn only_owners_of_replicas_are_owners_of_the_scale() {
    let both = json!({ "f:replicas": {}, "f:paused": {} });
    let object = json!({ "metadata": { "managedFields": [
        entry("a", "Apply", "apps/v1", &both), entry("b", "Apply", "apps/v1", &json!({ "f:paused": {} })),
        entry("c", "Update", "apps/v9", &both),
    ] } });
    let mut scale = json!({ "metadata": {} });
    Scale::new(&object, "apps/v1", REPLICAS).to_scale(&mut scale);
    let expected = json!([entry("a", "Apply", "autoscaling/v1", &json!({ "f:replicas": {} }))]);
    assert_eq!(scale["metadata"]["managedFields"], expected);
}

#[test]
fn who_is_not_there_any_more_loses_the_replicas() {
    let both = json!({ "f:replicas": {}, "f:paused": {} });
    let only = json!({ "f:replicas": {} });
    let object = json!({ "metadata": { "managedFields": [entry("a", "Apply", "apps/v1", &both)] } });
    let scale = json!({ "metadata": { "managedFields": [entry("x", "Update", "autoscaling/v1", &only)] } });
    let mut new = json!({ "metadata": {} });
    Scale::new(&object, "apps/v1", REPLICAS).to_parent(&scale, &mut new);
    let expected = json!([
        entry("a", "Apply", "apps/v1", &json!({ "f:paused": {} })),
        entry("x", "Update", "apps/v1", &only),
    ]);
    assert_eq!(new["metadata"]["managedFields"], expected);
}
