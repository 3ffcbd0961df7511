//! S-27: what may be anything is stored as it is.

use operatorkit::{
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Map, Value, json, to_value},
};
use operatorkit_testing::Cluster;

use super::{Written, idle};
use crate::servers::on_both;

on_both!(free_form_fields_are_kept_as_they_are);

#[operator(group = "schema.test", version = "v1", kind = "Kept", namespaced, status = KeptStatus, resources(Idle))]
pub(crate) struct KeptSpec {
    options: Value,
    values: Map<String, Value>,
    list: Vec<Value>,
    optional: Option<Value>,
    nested: Nested,
}

#[data]
pub(crate) struct Nested {
    name: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[data]
#[derive(Default)]
pub(crate) struct KeptStatus {
    seen: Value,
    by_name: Map<String, Value>,
}

idle!(Idle of Kept);

async fn free_form_fields_are_kept_as_they_are(cluster: &'static Cluster) {
    let kept = Written::of::<Kept>(cluster, "kept").await;
    let free = json!({ "a": { "b": [1, "x", null] } });
    let spec = json!({
        "options": free, "values": free, "list": [free, "text", 5], "optional": free,
        "nested": { "name": "x", "a": { "b": [1, "x", null] } },
    });
    let stored = kept.create("x", spec.clone()).await.expect("all of it is valid");
    assert_eq!(stored, spec);
    let status = json!({ "status": { "seen": free, "byName": free } });
    let params = PatchParams::default();
    let object = kept.api.patch_status("x", &params, &Patch::Merge(status.clone())).await;
    let object = to_value(object.expect("a status")).expect("JSON");
    assert_eq!(object["status"], status["status"]);
    // A value that may be anything may be none, too.
    let mut none = spec;
    (none["options"], none["optional"]) = (Value::Null, json!(true));
    let stored = kept.create("none", none.clone()).await.expect("`null` is a value");
    assert_eq!(stored, none);
}
