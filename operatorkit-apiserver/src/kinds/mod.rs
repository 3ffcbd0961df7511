//! Strategies of the built-in kinds: what the real server does to an object of a kind before it stores it.
//!
//! | module | what |
//! |---|---|
//! | [`strategy`](mod@strategy) | [`Strategy`], and the order in which it is applied |
//! | [`service`], [`pod`] | the two kinds with most rules; addresses, binding, ephemeral containers |
//! | [`namespace`] | namespaces, and `finalize` |
//! | [`event`], [`autoscaling`] | kinds that are served in two forms, and the conversions |
//! | the others | a kind, or some that belong together |
//!
//! Pure. [`strategy`](fn@strategy) finds the [`Strategy`] of a resource; one that has no rules of its own gets that of its scope.

pub mod admission;
pub mod autoscaling;
pub mod claim;
pub mod cluster;
pub mod config;
pub mod daemonset;
pub mod deployment;
mod edit;
pub mod endpoints;
pub mod event;
mod generation;
pub mod job;
pub mod limits;
pub mod namespace;
pub mod network;
mod others;
pub mod pod;
pub mod policy;
pub mod quota;
pub mod rbac;
pub mod replication;
mod schedule;
pub mod service;
pub mod statefulset;
pub mod storage;
pub mod strategy;
mod table;
mod workload;

#[cfg(test)]
mod tests;

pub use strategy::{Propagation, Strategy};

/// Adds the finalizer that protects an object which is in use (`StorageObjectInUseProtection`).
fn protect(object: &mut serde_json::Value, finalizer: &str) {
    let list = edit::object_at(object, &["metadata"])
        .entry("finalizers")
        .or_insert_with(|| serde_json::json!([]));
    if let Some(list) = list.as_array_mut()
        && !list.iter().any(|it| it == finalizer)
    {
        list.push(finalizer.into());
    }
}

/// The fields in which two objects differ. The real server shows the difference of its Go structs here.
fn difference(old: &serde_json::Value, new: &serde_json::Value) -> String {
    use std::fmt::Write as _;
    let mut lines = String::new();
    for (sign, one, other) in [('-', old, new), ('+', new, old)] {
        for (name, value) in one.as_object().into_iter().flatten() {
            if !crate::validation::at::same(value, edit::get(other, &[name])) {
                let _ = writeln!(lines, "{sign} {name}: {value}");
            }
        }
    }
    lines
}

/// The strategy of a built-in resource, by API group (empty for the core) and plural.
pub fn strategy(group: &str, resource: &str) -> Option<&'static Strategy> {
    let found = table::STRATEGIES.iter().find(|it| it.0 == group && it.1 == resource);
    found.map(|it| it.2)
}
