//! `owner_reference`: children that the garbage collector knows, too.

use serde_json::{Map, Value, json};

use super::{Pass, children::invalid};
use crate::{error::Result, operator::Operator, store::ChildKey};

/// Adds a reference to the object that controls a child.
///
/// Without `blockOwnerDeletion`, which wants a right of its own where `OwnerReferencesPermissionEnforcement` is on: the object waits for
/// its children anyway, by its finalizer.
///
/// # Errors
/// If the garbage collector would not find the object: it looks for it in the child's namespace, deletes a child whose owner is in
/// another one, and never a cluster-scoped one whose owner is in a namespace.
pub(super) fn refer<O: Operator>(pass: &Pass<O>, key: &ChildKey, meta: &mut Map<String, Value>) -> Result<()> {
    let owner = &pass.scope.meta;
    if let Some(namespace) = &owner.namespace
        && key.namespace.as_deref() != Some(namespace)
    {
        let place = match &key.namespace {
            Some(_) => "in another namespace than its object",
            None => "cluster-scoped, its object is not",
        };
        return Err(invalid(format!(
            "{key} is {place}, so the garbage collector would misjudge an owner reference: remove `owner_reference` from the \
             #[resource(..)], or make the child elsewhere by a resource of its own"
        )));
    }
    let reference = json!({
        "apiVersion": pass.running.kind.api_version(),
        "kind": pass.running.kind.kind,
        "name": owner.name,
        "uid": &*pass.uid,
        "controller": true,
    });
    match meta.entry("ownerReferences").or_insert_with(|| json!([])) {
        Value::Array(references) => references.push(reference),
        other => *other = json!([reference]),
    }
    Ok(())
}
