//! `Step` as a node.

use futures::future::BoxFuture;

use super::{Backward, Forward};
use crate::{
    context::{Cx, DeleteCx},
    error::Result,
    flow::Flow,
    graph::{IsStep, Role, Runs},
    layer::Verb,
    operator::Operator,
    resource::Step,
};

impl<O: Operator, R: Step<Operator = O>> Runs<O, IsStep> for R {
    fn role() -> Role {
        Role::Step
    }

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
            if !backward.removal.takes_steps() {
                return Ok(Flow::Ready(()));
            }
            let cx = DeleteCx::new(backward.pass.scope.clone());
            backward
                .pass
                .call(R::NAME, Verb::EnsureDeleted, || self.ensure_deleted(&cx))
                .await
        })
    }
}
