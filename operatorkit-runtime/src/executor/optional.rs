//! `optional`: while the kind of its children is not served, a `Manifest` counts as resolved without children.

use std::time::Duration;

use super::Forward;
use crate::{
    cluster::Failure,
    error::Result,
    flow::Flow,
    operator::Operator,
    resource::{ChildKind, Children, Manifest},
};

/// When a kind that only the object names is looked for again: nothing tells that it came.
pub(super) const AGAIN: Duration = Duration::from_secs(10);

/// Whether the kind that the type names is not served. The object is run again once it is.
pub(super) fn is_absent<O: Operator, R: Manifest<Operator = O>>(forward: &Forward<O>, index: usize) -> bool {
    let running = &forward.pass.running;
    let absent = R::META.settings.optional
        && running
            .static_kind(index)
            .is_some_and(|kind| running.watches.is_absent(kind, &forward.pass.uid));
    if absent {
        resolve::<O, R>(forward, index);
    }
    absent
}

/// The desired children whose kinds are served; all, unless the resource is optional and each child names its kind.
pub(super) async fn served<O: Operator, R: Manifest<Operator = O>>(
    forward: &Forward<O>,
    index: usize,
    desired: Vec<R::Object>,
) -> Result<Vec<R::Object>> {
    let running = &forward.pass.running;
    if !R::META.settings.optional || running.static_kind(index).is_some() {
        return Ok(desired);
    }
    let mut served = Vec::with_capacity(desired.len());
    for object in desired {
        let types = <<R::Object as kube::Resource>::DynamicType as ChildKind<R::Object>>::of_object(&object);
        let kind = match types {
            Some(types) => running.resolve_served(&types.api_version, &types.kind).await?,
            // It is refused where all are.
            None => {
                served.push(object);
                continue;
            }
        };
        match kind {
            Some(kind) if running.watches.is_absent(&kind, &forward.pass.uid) => {}
            Some(_) => served.push(object),
            None => forward.leave_out(),
        }
    }
    Ok(served)
}

/// What settling the children came to; a kind that has gone since its watch was heard of last is no error.
pub(super) fn unless_absent<O: Operator, R: Manifest<Operator = O>>(
    forward: &Forward<O>,
    index: usize,
    settled: Result<Flow<()>>,
) -> Result<Flow<()>> {
    let failure = settled.as_ref().err().and_then(|err| err.downcast_ref::<Failure>());
    let gone = failure.is_some_and(|failure| failure.is_not_served() || failure.is_kind_terminating());
    if !gone || !R::META.settings.optional {
        return settled;
    }
    if let Some(kind) = forward.pass.running.static_kind(index) {
        forward.pass.running.watches.await_kind(kind, &forward.pass.uid);
    }
    forward.leave_out();
    resolve::<O, R>(forward, index);
    Ok(Flow::Ready(()))
}

/// No children: those that were there are pruned, and readers get none.
fn resolve<O: Operator, R: Manifest<Operator = O>>(forward: &Forward<O>, index: usize) {
    forward.resolve(R::NAME);
    if forward.pass.running.is_read(index) {
        let none = Children::<R::Object>::new(Vec::new());
        forward.pass.scope.outputs.set(index, none);
    }
}
