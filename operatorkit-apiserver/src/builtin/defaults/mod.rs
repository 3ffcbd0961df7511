//! The defaults of the built-in kinds: those that are always the same, as data, and those that depend on other fields.
//!
//! Source of the latter: the `defaults.go` of Kubernetes' API packages; the task `defaults` compares them with a real server.
//!
//! | module | what |
//! |---|---|
//! | `field` | reading and filling fields |
//! | `pod` | Pods, containers, images, volumes |
//! | `workload` | Deployments, DaemonSets, StatefulSets, Jobs, autoscalers |
//! | `network` | Services, network policies |
//! | `quantities` | amounts of resources |
//! | `cluster` | nodes, volumes, limits, rights, devices, extensions |

mod cluster;
mod field;
mod network;
mod pod;
mod quantities;
mod workload;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use self::field::is_empty;
use super::{kinds, learned::FieldDefault};
use crate::schema::{Schema, Type};

/// Fills in what the real server fills in when it reads an object of a built-in kind. For a part of an object, the schema is that of
/// the part; what depends on the kind that the part is in is then left out. Types that are not built in stay as they are.
///
/// Not included is what is done before an object is stored and not whenever one is read: what is allocated (`clusterIP`), and what
/// depends on the time (`timeAdded` of a taint) or on other objects.
pub fn apply_defaults(schema: Schema<'_>, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if schema.type_ == Type::Object && schema.additional.is_none() {
                let name = schema.name.as_deref().unwrap_or_default();
                // The only one that depends on whether a field with a default was given.
                if name == "io.k8s.api.apps.v1.StatefulSetUpdateStrategy" {
                    workload::stateful_set_strategy(fields);
                }
                for default in kinds().learned.of(name) {
                    fill(fields, default);
                }
                depending(name, fields);
                quantities::round(name, fields);
            }
            for (name, value) in fields {
                if let Some(schema) = schema.field(name) {
                    apply_defaults(schema, value);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.items() {
                items.iter_mut().for_each(|item| apply_defaults(schema, item));
            }
        }
        _ => {}
    }
}

fn fill(fields: &mut Map<String, Value>, default: &FieldDefault) {
    let absent = match fields.get(&*default.field) {
        None | Some(Value::Null) => true,
        Some(given) => default.empty_is_absent && is_empty(given),
    };
    if absent {
        fields.insert(default.field.to_string(), default.value.clone());
    }
}

/// The defaults that depend on other fields. Those of an object come before those of its parts, as in Go.
fn depending(type_name: &str, fields: &mut Map<String, Value>) {
    match type_name {
        "io.k8s.api.apps.v1.DaemonSetUpdateStrategy" => workload::daemon_set_strategy(fields),
        "io.k8s.api.apps.v1.DeploymentStrategy" => workload::deployment_strategy(fields),
        "io.k8s.api.apps.v1.StatefulSetSpec" => workload::stateful_set(fields),
        "io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior" => workload::behavior(fields),
        "io.k8s.api.batch.v1.Job" => workload::job(fields),
        "io.k8s.api.core.v1.Container" | "io.k8s.api.core.v1.EphemeralContainer" => pod::container(fields),
        "io.k8s.api.core.v1.ImageVolumeSource" => pod::image_volume(fields),
        "io.k8s.api.core.v1.LimitRangeItem" => cluster::limits(fields),
        "io.k8s.api.core.v1.Namespace" => cluster::namespace(fields),
        "io.k8s.api.core.v1.NodeSpec" => cluster::node(fields),
        "io.k8s.api.core.v1.NodeStatus" => cluster::node_status(fields),
        "io.k8s.api.core.v1.PersistentVolume" => cluster::persistent_volume(fields),
        "io.k8s.api.core.v1.Pod" => pod::pod(fields),
        "io.k8s.api.core.v1.PodSpec" => pod::pod_spec(fields),
        "io.k8s.api.core.v1.PodStatus" => pod::pod_status(fields),
        "io.k8s.api.core.v1.ReplicationController" => workload::replication_controller(fields),
        "io.k8s.api.core.v1.Service" => network::service(fields),
        "io.k8s.api.core.v1.Volume" => pod::volume(fields),
        "io.k8s.api.networking.v1.NetworkPolicySpec" => network::policy(fields),
        "io.k8s.api.rbac.v1.Subject" => cluster::subject(fields),
        "io.k8s.api.resource.v1.DeviceSubRequest" | "io.k8s.api.resource.v1.ExactDeviceRequest" => {
            cluster::devices(fields);
        }
        "io.k8s.api.authentication.v1.TokenRequestSpec" => cluster::token(fields),
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition" => cluster::crd(fields),
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference"
        | "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference" => cluster::service_reference(fields),
        _ => {}
    }
}
