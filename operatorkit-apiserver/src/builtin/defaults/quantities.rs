//! Amounts of resources: what is smaller than a thousandth is rounded up (`SetDefaults_ResourceList`).

use serde_json::Value;

use super::field::{Fields, object};
use crate::validation::Quantity;

/// Rounds the resource lists among the fields of an object of this type.
pub(super) fn round(type_name: &str, fields: &mut Fields) {
    let lists: &[&str] = match type_name {
        "io.k8s.api.core.v1.ResourceRequirements" | "io.k8s.api.core.v1.VolumeResourceRequirements" => {
            &["limits", "requests"]
        }
        "io.k8s.api.core.v1.LimitRangeItem" => &["default", "defaultRequest", "max", "maxLimitRequestRatio", "min"],
        "io.k8s.api.core.v1.PodSpec" => &["overhead"],
        "io.k8s.api.core.v1.PersistentVolumeSpec" => &["capacity"],
        "io.k8s.api.core.v1.PersistentVolumeClaimStatus" => &["allocatedResources", "capacity"],
        "io.k8s.api.core.v1.NodeStatus" => &["allocatable", "capacity"],
        "io.k8s.api.core.v1.ContainerStatus" => &["allocatedResources"],
        "io.k8s.api.core.v1.ResourceQuotaSpec" => &["hard"],
        "io.k8s.api.core.v1.ResourceQuotaStatus" => &["hard", "used"],
        _ => &[],
    };
    for list in lists {
        for (_, amount) in object(fields, list).into_iter().flatten() {
            let rounded = amount
                .as_str()
                .and_then(|text| Quantity::parse(text).ok()?.rounded_to_milli());
            if let Some(rounded) = rounded {
                *amount = Value::from(rounded);
            }
        }
    }
}
