//! `Step` as a node.

use futures::future::BoxFuture;

use super::{Backward, Forward, pass::Removal};
use crate::{
    context::{Cx, DeleteCx},
    error::Result,
    flow::Flow,
    graph::{IsStep, Meta, Role, Runs},
    layer::Verb,
    operator::Operator,
    resource::Step,
};

impl<O: Operator, R: Step<Operator = O>> Runs<O, IsStep> for R {
    const ROLE: Role = Role::Step;

    fn apply<'a>(&'a self, forward: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let pass = &forward.pass;
            let cx = Cx::new(pass.scope.clone());
            let run = || self.ensure_created(&forward.object, &cx);
            let flow = pass.call(R::NAME, Verb::EnsureCreated, run).await?;
            Ok(flow.map(|output| pass.scope.outputs.set(index, output)))
        })
    }

    fn delete<'a>(&'a self, backward: &'a Backward<O>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            if !backward.removal.takes_step(R::NAME) || !is_to_be_undone(backward, &R::META) {
                return Ok(Flow::Ready(()));
            }
            if backward.pass.running.is_replaced(&backward.pass.entry()) {
                return Ok(Flow::skip("its object is gone, and another one has the name"));
            }
            let cx = DeleteCx::new(backward.pass.scope.clone());
            backward
                .pass
                .call(R::NAME, Verb::EnsureDeleted, || self.ensure_deleted(&cx))
                .await
        })
    }
}

/// Whether a step is undone: not if it is kept, as it was stored, and not if it was retired and that is done already.
fn is_to_be_undone<O: Operator>(backward: &Backward<O>, meta: &Meta) -> bool {
    let pass = &backward.pass;
    let live = matches!(backward.removal, Removal::Unwanted(_));
    let Some(stored) = pass.entry().inventory(&pass.running.names) else {
        return !meta.settings.keep;
    };
    match stored.node(meta.name) {
        Some(node) => !(node.keep || live && meta.settings.keep),
        None => !meta.settings.retired && !meta.settings.keep,
    }
}
