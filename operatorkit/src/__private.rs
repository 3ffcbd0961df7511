//! What generated code calls. Not for users: it changes without notice.

pub use std::borrow::Cow;

pub use operatorkit_macros::replaced_by;
#[cfg(feature = "yaml")]
pub use operatorkit_runtime::{FromYaml, Yaml};
pub use operatorkit_runtime::{
    HasValue, Operator, Orphans, PausedDeletion, Resources, Selector,
    graph::{After, Graph, Meta, Node, Outline, Propagation, Read, Reads, ReadsAnywhere, check, runs},
    layer::Layers,
    schema,
    status::{NoStatus, Status, definition},
};
pub use {
    k8s_openapi, k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition, kube,
    schemars, serde, serde_json,
};
