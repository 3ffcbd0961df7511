//! `adopt`: taking over what exists without an owner.

use anyhow::anyhow;
use kube::core::DynamicObject;

use super::{
    Pass,
    creation::{Wanted, Written, written},
};
use crate::{
    cluster::Failure,
    error::{Error, ErrorExt as _, Result},
    operator::Operator,
};

/// Makes a live object that is nobody's a child of ours, by a forced apply that puts our mark on.
///
/// The apply names the version that was read. So of two operators that try at the same time one wins; the other's is refused, and
/// its next look shows a mark that is not its own.
pub(super) async fn adopt<O: Operator>(pass: &Pass<O>, wanted: &Wanted<'_>, live: &DynamicObject) -> Result<Written> {
    let key = wanted.key;
    let uid = live.metadata.uid.as_deref().unwrap_or_default();
    if let Some(initial) = &wanted.initial
        && !initial.owns_nothing(pass, wanted, uid).await?
    {
        return Ok(Written::Look);
    }
    let body = wanted.change(uid, live.metadata.resource_version.as_deref());
    let answer = pass
        .running
        .cluster
        .update_apply(&key.kind, key.namespace.as_deref(), &key.name, &body)
        .await;
    match answer {
        Ok(object) => {
            let message =
                format!("{key} existed without an owner and is adopted: it is deleted with the object from now on");
            pass.scope.events.normal("Adopted", message);
            written(pass, wanted, &object)
        }
        Err(failure) if failure.is_conflict() || failure.is_not_found() || failure.is_other_uid() => Ok(Written::Look),
        Err(failure) if failure.is_immutable() => Ok(Written::Refused(failure)),
        Err(failure) => Err(failure.into()),
    }
}

/// What is not ours yet is never deleted to make it anew, also with `replace = "recreate"`.
pub(super) fn refused(failure: &Failure) -> Error {
    anyhow!(
        "{failure}. It exists without an owner and cannot be adopted as it is: delete it, or desire what it has there"
    )
    .reason(failure.reason())
    .permanent()
}
