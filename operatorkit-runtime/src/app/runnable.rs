//! An operator as the app sees it: its types erased.

use std::{marker::PhantomData, panic::AssertUnwindSafe};

use anyhow::{Context as _, anyhow};
use futures::{
    FutureExt as _,
    future::{BoxFuture, LocalBoxFuture},
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Resource as _;
use tokio_util::sync::CancellationToken;

use super::{Env, RunSettings, panics, rights};
use crate::{
    controller,
    operator::{Operator, Resources, name_of},
    release::{self, Asked, Tell},
};

/// An operator of whatever kind.
pub(crate) trait Runnable: Send {
    /// The operator's name, unique per cluster.
    fn name(&self) -> String;
    /// The kind, with its group and version, for people.
    fn kind(&self) -> String;
    /// Its earlier names.
    fn formerly(&self) -> &'static [&'static str];
    /// Finalizers of other programs that are treated as its own.
    fn legacy_finalizers(&self) -> &'static [&'static str];
    /// The definition of an own kind.
    fn crd(&self) -> Option<CustomResourceDefinition>;
    /// The rights that it needs.
    fn needs(&self) -> anyhow::Result<rights::Needs>;
    /// Gives up what is asked for, without a set-up.
    fn release<'a>(
        &self,
        client: kube::Client,
        asked: &'a Asked,
        tell: Tell<'a>,
    ) -> LocalBoxFuture<'a, anyhow::Result<()>>;
    /// The kind of its objects.
    #[cfg(feature = "dev")]
    fn object_kind(&self) -> crate::cluster::Kind;
    /// Each resource's name, and its turn in creation and in deletion; nothing if the graph cannot run.
    #[cfg(feature = "dev")]
    fn graph(&self) -> Vec<(&'static str, [usize; 2])>;
    /// Sets the operator up and runs it until the token is cancelled, and what runs then has ended.
    fn run(
        self: Box<Self>,
        env: Env,
        settings: RunSettings,
        shutdown: CancellationToken,
    ) -> BoxFuture<'static, anyhow::Result<()>>;
}

/// An operator by the closure that makes its resources.
pub(super) struct Registered<R, F> {
    setup: F,
    resources: PhantomData<fn() -> R>,
}

impl<R, F> Registered<R, F> {
    pub(super) fn new(setup: F) -> Self {
        Self {
            setup,
            resources: PhantomData,
        }
    }
}

impl<R, F, Fut> Runnable for Registered<R, F>
where
    R: Resources,
    F: FnOnce(Env) -> Fut + Send + 'static,
    Fut: Future<Output = anyhow::Result<R>> + Send + 'static,
{
    fn name(&self) -> String {
        name_of::<R::Operator>()
    }

    fn kind(&self) -> String {
        type Object<O> = <O as Operator>::Object;
        format!(
            "{} ({})",
            Object::<R::Operator>::kind(&()),
            Object::<R::Operator>::api_version(&())
        )
    }

    fn formerly(&self) -> &'static [&'static str] {
        R::Operator::FORMERLY
    }

    fn legacy_finalizers(&self) -> &'static [&'static str] {
        R::Operator::LEGACY_FINALIZERS
    }

    fn crd(&self) -> Option<CustomResourceDefinition> {
        R::Operator::crd()
    }

    fn needs(&self) -> anyhow::Result<rights::Needs> {
        rights::of_operator::<R::Operator>()
    }

    fn release<'a>(
        &self,
        client: kube::Client,
        asked: &'a Asked,
        tell: Tell<'a>,
    ) -> LocalBoxFuture<'a, anyhow::Result<()>> {
        Box::pin(release::release::<R::Operator>(client, asked, tell))
    }

    #[cfg(feature = "dev")]
    fn object_kind(&self) -> crate::cluster::Kind {
        crate::cluster::Kind::of::<<R::Operator as Operator>::Object>()
    }

    #[cfg(feature = "dev")]
    fn graph(&self) -> Vec<(&'static str, [usize; 2])> {
        let nodes = R::Operator::NODES;
        let specs: Vec<_> = nodes.iter().map(Into::into).collect();
        let Ok(shape) = crate::plan::Shape::new(&specs) else {
            return Vec::new();
        };
        let turns = shape.create.turns().into_iter().zip(shape.delete.turns());
        let turns = turns.map(|(create, delete)| [create, delete]);
        nodes.iter().map(|meta| meta.name).zip(turns).collect()
    }

    fn run(
        self: Box<Self>,
        env: Env,
        settings: RunSettings,
        shutdown: CancellationToken,
    ) -> BoxFuture<'static, anyhow::Result<()>> {
        let operator = self.name();
        let setup = set_up(self.setup, env.clone().of(&operator));
        Box::pin(async move {
            // A set-up that waits for something must not hold up the end.
            let resources = tokio::select! {
                biased;
                () = shutdown.cancelled() => return Ok(()),
                resources = setup => resources?,
            };
            controller::run::<R::Operator>(resources, env, settings, shutdown).await
        })
    }
}

async fn set_up<R, F, Fut>(setup: F, env: Env) -> anyhow::Result<R>
where
    F: FnOnce(Env) -> Fut,
    Fut: Future<Output = anyhow::Result<R>>,
{
    // The closure itself may panic as well as its future.
    let made = AssertUnwindSafe(async { setup(env).await }).catch_unwind().await;
    made.unwrap_or_else(|payload| Err(anyhow!("panicked: {}", panics::text(&*payload))))
        .context("the set-up of its resources failed")
}
