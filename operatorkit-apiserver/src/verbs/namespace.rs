//! Whether a namespace takes new objects (the admission plugin `NamespaceLifecycle`).

use serde_json::Value;

use super::call::Call;
use crate::{
    failure::{Failure, Target},
    object,
    store::Key,
};

/// Namespaces that cannot be deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

/// Refuses a new object in a namespace that is not there or is going.
pub(crate) fn accepts(call: &Call, new: &Value) -> Result<(), Failure> {
    if !call.served.namespaced {
        return Ok(());
    }
    let namespace = object::namespace(new);
    let missing = || Failure::not_found(Target::new("", "namespaces", namespace));
    let stored = call
        .core
        .store
        .get(&call.core.tables.namespaces, &Key::new("", namespace))
        .ok_or_else(missing)?;
    let stored = stored.value("v1", "Namespace");
    // Some reviews are about namespaces that are going.
    if !object::is_deleting(&stored) || call.served.is("authorization.k8s.io", "localsubjectaccessreviews") {
        return Ok(());
    }
    let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
    let failure = Failure::forbidden(call.served.target(object::name(new)), why);
    let cause = format!("namespace {namespace} is being terminated");
    Err(failure.because("NamespaceTerminating", cause, "metadata.namespace"))
}

/// Refuses the deletion of a namespace that must stay.
pub(crate) fn may_be_deleted(call: &Call, name: &str) -> Result<(), Failure> {
    if call.served.is("", "namespaces") && IMMORTAL.contains(&name) {
        let target = Target::new("", "namespaces", name);
        return Err(Failure::forbidden(target, "this namespace may not be deleted"));
    }
    Ok(())
}
