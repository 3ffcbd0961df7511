//! Driving a plan: nodes run concurrently as the plan allows, in one task.

use futures::{StreamExt as _, future::BoxFuture, stream::FuturesUnordered};

use crate::{
    error::Result,
    flow::Flow,
    judgement,
    plan::{Edges, Outcome, Plan},
};

/// How each node of a pass ended, by its place in the graph.
pub(super) type Ends = Vec<NodeEnd>;

/// How a node ended.
#[derive(Debug)]
pub(super) enum NodeEnd {
    /// It ran.
    Ran(Result<Flow<()>>),
    /// It left itself out, since this resource gave no output to read.
    Unread(&'static str),
    /// It did not start, because of these.
    Held(Vec<usize>),
    /// It did not start, because the pass was cancelled.
    Stopped,
}

/// Runs every node that may run, and tells when one begins and how it ended. An error holds up only what depends on it.
pub(super) async fn drive<'a>(
    edges: &Edges,
    run: impl Fn(usize) -> BoxFuture<'a, Result<Flow<()>>>,
    tell: impl Fn(usize, Option<&NodeEnd>),
) -> Ends {
    let mut plan = Plan::new(edges);
    let mut running = FuturesUnordered::new();
    let mut ends: Vec<Option<NodeEnd>> = (0..edges.len()).map(|_| None).collect();
    let mut cancelled = false;
    loop {
        for index in plan.start() {
            tell(index, None);
            let node = run(index);
            running.push(async move { (index, node.await) });
        }
        let Some((index, answer)) = running.next().await else {
            break;
        };
        let (outcome, end) = judge(answer);
        cancelled |= outcome == Outcome::Cancelled;
        plan.finish(index, outcome);
        tell(index, Some(&end));
        ends[index] = Some(end);
    }
    let not_started = |index| {
        if cancelled {
            NodeEnd::Stopped
        } else {
            NodeEnd::Held(plan.held(index))
        }
    };
    ends.into_iter()
        .enumerate()
        .map(|(index, end)| end.unwrap_or_else(|| not_started(index)))
        .collect()
}

/// What an answer means for the plan. Who reads the output of a resource that gave none is skipped, too.
fn judge(answer: Result<Flow<()>>) -> (Outcome, NodeEnd) {
    if let Some(name) = answer.as_ref().err().and_then(judgement::unread) {
        return (Outcome::Skipped, NodeEnd::Unread(name));
    }
    let outcome = match &answer {
        Ok(Flow::Ready(())) => Outcome::Done,
        Ok(Flow::Skip(_)) => Outcome::Skipped,
        Ok(Flow::Wait(_)) => Outcome::Held,
        Ok(Flow::Cancel(_)) => Outcome::Cancelled,
        Err(_) => Outcome::Failed,
    };
    (outcome, NodeEnd::Ran(answer))
}
