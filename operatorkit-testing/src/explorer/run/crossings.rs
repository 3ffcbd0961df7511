//! Between the operator and its resources: every operation that acts outside of Kubernetes crosses here.

use std::{future::pending, sync::Arc};

use anyhow::{Result, anyhow};
use futures::future::BoxFuture;
use operatorkit_runtime::{
    Flow,
    layer::{Layer, Next, Operation, Verb},
};

use super::{act, stage::Stage};
use crate::explorer::plan::{Event, Sort};

/// The layer around the operations of one incarnation of the operator.
#[derive(Clone, Debug)]
pub struct Crossings {
    pub(super) stage: Arc<Stage>,
    pub(super) incarnation: u32,
}

impl Crossings {
    async fn cross(&self, operation: &Operation<'_>, next: Next<'_>) -> Result<Flow<()>> {
        let stage = &self.stage;
        self.alive().await;
        if is_of_the_spec(operation.verb) && stage.nothing_is_desired() {
            return Err(anyhow!("injected: what is desired cannot be worked out"));
        }
        if !acts_outside(operation.verb) {
            return next.run().await;
        }
        let namespace = operation.namespace.map(|it| format!("{it}/")).unwrap_or_default();
        let what = format!(
            "{} {} of {namespace}{}",
            operation.verb, operation.resource, operation.name
        );
        if operation.verb == Verb::Delete {
            stage.with_judge(|judge| judge.removes(operation.uid, operation.resource, operation.backwards));
        }
        let point = stage.cross(Sort::Operation, &what);
        let mut fails = stage.keeps_failing(&what).is_some();
        let mut after = None;
        for event in stage.events_at(&point) {
            match event {
                Event::KilledBefore => return self.dies().await,
                Event::Fails(_) => fails = true,
                Event::KeepsFailing(refusal, seconds) => {
                    stage.keep_failing(&what, refusal, seconds);
                    fails = true;
                }
                Event::Before(act) => act::act(stage, act).await,
                Event::KilledAfter
                | Event::KilledAfterAndRewound
                | Event::DeletedUnseen
                | Event::AnswerLost
                | Event::FailsThoughDone(_)
                | Event::Meanwhile(_) => after = Some(event),
            }
        }
        self.alive().await;
        if fails {
            return Err(anyhow!("injected: it is not done"));
        }
        let answer = next.run().await;
        // What has changed in the cluster meanwhile was seen at the requests.
        stage.look(false);
        match after {
            Some(Event::KilledAfter | Event::KilledAfterAndRewound | Event::DeletedUnseen) => self.dies().await,
            Some(Event::Meanwhile(act)) => {
                act::act(stage, act).await;
                answer
            }
            Some(_) => Err(anyhow!("injected: it is done, but nobody knows")),
            None => answer,
        }
    }

    async fn alive(&self) {
        if !self.stage.lives(self.incarnation) {
            pending::<()>().await;
        }
    }

    async fn dies(&self) -> Result<Flow<()>> {
        self.stage.kill(self.incarnation);
        pending().await
    }
}

impl Layer for Crossings {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(self.cross(operation, next))
    }
}

/// Whether it may change something that the API server does not know. `delete` is also that of children, whose requests are points, too.
fn acts_outside(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Create | Verb::Update | Verb::Delete | Verb::EnsureCreated | Verb::EnsureDeleted
    )
}

/// Whether it needs to know what the spec wants.
fn is_of_the_spec(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Desired | Verb::Wanted | Verb::Observe | Verb::Create | Verb::Update | Verb::EnsureCreated
    )
}
