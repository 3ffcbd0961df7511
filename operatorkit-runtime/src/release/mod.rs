//! The way out: takes all that is an operator's own off its objects and children, and deletes nothing.
//!
//! What there is is found by live lists, and what is ours by its mark: nothing is remembered, so a run that was stopped anywhere is gone on with by
//! the next one. Each object is dealt with for itself, its children first: while one of them is still marked the object keeps its finalizer and its
//! inventory, which say where to look.

mod found;
mod object;

use std::{
    collections::BTreeSet,
    io,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures::{StreamExt as _, stream};
use kube::core::ObjectMeta;

use self::found::Family;
use crate::{
    cluster::{Cluster, Kind},
    executor::{self, release as release_child},
    operator::{Operator, name_of},
    record::Names,
    store::ChildKey,
};

/// How often a lost race leads to another look.
const TRIES: usize = 4;
/// How many objects are dealt with at once.
const AT_ONCE: usize = 8;
/// How long an operator that still runs is given to take back what was released: it does so within a moment.
const SETTLED: Duration = Duration::from_secs(2);

/// What is released.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Only objects in these namespaces, with their children; empty: all.
    pub(crate) namespaces: Vec<String>,
    /// Only objects of these names, with their children; empty: all.
    pub(crate) names: Vec<String>,
    /// Nothing is changed: it is only told.
    pub(crate) dry_run: bool,
}

impl Asked {
    /// Whether an object is one that is asked for; an empty namespace is that of what is in none.
    fn is_for(&self, namespace: &str, name: &str) -> bool {
        let is_in = |all: &[String], one: &str| all.is_empty() || all.iter().any(|it| it == one);
        is_in(&self.namespaces, namespace) && is_in(&self.names, name)
    }
}

/// What a person is told, at the moment when it is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Something was released, would be, or is left outside of Kubernetes.
    Line(String),
    /// Something could not be released, and why.
    Failed(String),
    /// Something that a person should know.
    Note(String),
}

/// Tells it. An error ends the run: what cannot be told must not be forgotten.
pub(crate) type Tell<'a> = &'a (dyn Fn(Told) -> io::Result<()> + Send + Sync);

/// Releases what is asked for of one operator.
///
/// # Errors
///
/// If it cannot be known what there is, or nobody can be told. What is wrong with one object or one kind is told, and does not hold up the others.
pub(crate) async fn release<O: Operator>(client: kube::Client, asked: &Asked, tell: Tell<'_>) -> anyhow::Result<()> {
    let names = Names::new(&name_of::<O>()).succeeding(O::FORMERLY, O::LEGACY_FINALIZERS);
    let mut run = Run {
        cluster: Cluster::new(client, &names.finalizer),
        names,
        kind: Kind::of::<O::Object>(),
        own: O::crd().is_some(),
        asked,
        tell,
        released: Mutex::default(),
    };
    if let Some(served) = run.served(&run.kind).await? {
        run.kind = served;
    }
    let families = run.find(O::outline().resources(), O::NODES).await?;
    let mut ends = stream::iter(families)
        .map(|family| run.let_go(family))
        .buffer_unordered(AT_ONCE);
    while let Some(end) = ends.next().await {
        end?;
    }
    drop(ends);
    run.check_nobody_took_them_back().await
}

/// One run for one operator.
struct Run<'a> {
    cluster: Cluster,
    names: Names,
    kind: Kind,
    /// The operator's kind is its own, with a status.
    own: bool,
    asked: &'a Asked,
    tell: Tell<'a>,
    /// The UIDs of the objects that were let go.
    released: Mutex<BTreeSet<String>>,
}

impl Run<'_> {
    /// An object's children, and then the object. Fails only if nobody can be told.
    async fn let_go(&self, family: Family) -> anyhow::Result<()> {
        let mut whole = true;
        for child in &family.children {
            whole &= self.child(child).await?;
        }
        let Some(object) = family.object else {
            return Ok(());
        };
        let shown = shown(&self.kind, &object.metadata);
        if let Some(kind) = family.unseen {
            return self.failed(format!(
                "{shown} keeps its finalizer: its children of the kind {kind} could not be looked for"
            ));
        }
        if !whole {
            return self.failed(format!(
                "{shown} keeps its finalizer: not all of its children are released"
            ));
        }
        match object::release(self, object).await {
            Ok(()) => Ok(()),
            Err(err) if err.is::<io::Error>() => Err(err),
            Err(err) => self.failed(format!("{shown}: {err:#}")),
        }
    }

    /// Returns whether a child carries nothing of ours any more.
    async fn child(&self, child: &found::Child) -> anyhow::Result<bool> {
        let found::Child { key, uid } = child;
        if self.asked.dry_run {
            self.line(format!("{key} would be released"))?;
            return Ok(true);
        }
        match release_child(&self.cluster, &self.names, &key.kind, key, uid).await {
            Ok(executor::Release::Done) => self.line(format!("{key} released"))?,
            // It went, or somebody else has taken our mark off.
            Ok(executor::Release::NotOurs) => {}
            Ok(executor::Release::Again) => {
                self.failed(format!("{key} changes too fast to be released"))?;
                return Ok(false);
            }
            Err(failure) => {
                self.failed(format!("{key}: {failure}"))?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn let_go_of(&self, object: &ObjectMeta) {
        let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        released.extend(object.uid.clone());
    }

    /// An operator that still runs puts its finalizer on again within a moment. Without a Lease nothing else tells that it does.
    async fn check_nobody_took_them_back(&self) -> anyhow::Result<()> {
        let released = std::mem::take(&mut *self.released.lock().unwrap_or_else(PoisonError::into_inner));
        if released.is_empty() {
            return Ok(());
        }
        tokio::time::sleep(SETTLED).await;
        let ours = |meta: &ObjectMeta| meta.uid.as_ref().is_some_and(|uid| released.contains(uid));
        for object in self
            .objects()
            .await?
            .into_iter()
            .filter(|object| ours(&object.metadata))
        {
            self.failed(format!(
                "{} carries the finalizer of the operator again: the operator still runs. Stop it first (scale its Deployment to zero)",
                shown(&self.kind, &object.metadata)
            ))?;
        }
        Ok(())
    }

    fn line(&self, line: String) -> anyhow::Result<()> {
        self.tell(Told::Line(line))
    }

    fn failed(&self, failed: String) -> anyhow::Result<()> {
        self.tell(Told::Failed(failed))
    }

    fn tell(&self, told: Told) -> anyhow::Result<()> {
        (self.tell)(told).map_err(anyhow::Error::new)
    }
}

/// `ConfigMap web/x`, as [`ChildKey`] is shown.
fn shown(kind: &Kind, meta: &ObjectMeta) -> String {
    let name = meta.name.as_deref().unwrap_or_default();
    ChildKey::new(&kind.clone().into(), meta.namespace.as_deref(), name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_limits_nothing() {
        let said = |namespaces: &[&str], names: &[&str]| Asked {
            namespaces: namespaces.iter().map(|&it| it.to_owned()).collect(),
            names: names.iter().map(|&it| it.to_owned()).collect(),
            dry_run: false,
        };
        assert!(said(&[], &[]).is_for("a", "x") && said(&[], &[]).is_for("", "x"));
        assert!(said(&["a", "b"], &[]).is_for("b", "x") && !said(&["a"], &[]).is_for("b", "x"));
        assert!(
            !said(&["a"], &[]).is_for("", "x"),
            "what is in no namespace is in none of these"
        );
        assert!(said(&["a"], &["x"]).is_for("a", "x") && !said(&["a"], &["x"]).is_for("a", "y"));
    }
}
