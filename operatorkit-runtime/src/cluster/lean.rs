//! Answers without what nobody here reads: `managedFields` is half of an object's memory.

use kube::core::{DynamicObject, ObjectMeta, TypeMeta};

use super::Kind;

/// kubectl's copy of an object in an annotation; it may also hold the values of a Secret.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The object without ballast, and with the types that items of a list do not say.
pub(super) fn object(kind: &Kind, mut object: DynamicObject) -> DynamicObject {
    object.types.get_or_insert_with(|| TypeMeta {
        api_version: kind.api_version(),
        kind: kind.kind.clone(),
    });
    meta(&mut object.metadata);
    object
}

pub(super) fn meta(meta: &mut ObjectMeta) {
    meta.managed_fields = None;
    // An emptied map stays: patches tell a map that is there from none.
    if let Some(annotations) = &mut meta.annotations {
        annotations.remove(LAST_APPLIED);
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_ballast_goes() {
        let before = json!({
            "metadata": {
                "name": "x",
                "annotations": { LAST_APPLIED: "{}" },
                "managedFields": [{"manager": "m"}],
            },
            "data": {"a": "b"},
        });
        let after = object(&Kind::of::<ConfigMap>(), serde_json::from_value(before).unwrap());
        let wanted = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "x", "annotations": {}},
            "data": {"a": "b"},
        });
        assert_eq!(serde_json::to_value(after).unwrap(), wanted);
    }
}
