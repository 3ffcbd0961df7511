//! `Manifest` as a node: desired children are settled one by one.

use futures::future::{BoxFuture, join_all};

use super::{Forward, children, optional};
use crate::{
    cluster::Kind,
    context::Cx,
    error::Result,
    flow::{Flow, Wait},
    graph::{IsManifest, NamedKinds, Role, Runs},
    layer::Verb,
    operator::Operator,
    readiness::Readiness,
    resource::{ChildKind, Children, Manifest},
    store::{ChildEntry, ChildKey},
};

impl<O: Operator, R: Manifest<Operator = O>> Runs<O, IsManifest> for R {
    const ROLE: Role = Role::Manifest;

    fn child_kind() -> Option<Kind> {
        <R::Object as kube::Resource>::DynamicType::of_type()
    }

    fn named_kinds() -> NamedKinds {
        if Self::child_kind().is_some() {
            return NamedKinds::default();
        }
        let known = R::kinds();
        NamedKinds {
            others: known.is_empty(),
            known,
        }
    }

    fn apply<'a>(&'a self, pass: &'a Forward<O>, index: usize) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(apply(self, pass, index))
    }
}

async fn apply<O: Operator, R: Manifest<Operator = O>>(
    resource: &R,
    pass: &Forward<O>,
    index: usize,
) -> Result<Flow<()>> {
    if optional::is_absent::<O, R>(pass, index) {
        return Ok(Flow::Ready(()));
    }
    let cx = Cx::new(pass.pass.scope.clone());
    let desired = || async {
        let keep = resource.keep_on_delete(&pass.object);
        Ok(resource
            .desired(&pass.object, &cx)
            .await?
            .0
            .map(|desired| (desired, keep)))
    };
    let (desired, keep) = match pass.pass.call(R::NAME, Verb::Desired, desired).await? {
        Flow::Ready(desired) => desired,
        other => return Ok(other.map(|_| ())),
    };
    let desired = optional::served::<O, R>(pass, index, desired).await?;
    let places = children::places::<O, R>(pass, index, &desired).await?;
    pass.resolve(R::NAME);
    let settle = || async {
        let settled = settle_all(resource, pass, index, (&places, &desired), keep).await;
        optional::unless_absent::<O, R>(pass, index, settled)
    };
    pass.pass.call(R::NAME, Verb::Apply, settle).await
}

/// Settles every child; the first error counts, after all have had their try.
async fn settle_all<O: Operator, R: Manifest<Operator = O>>(
    resource: &R,
    pass: &Forward<O>,
    index: usize,
    (places, desired): (&[ChildKey], &[R::Object]),
    keep: bool,
) -> Result<Flow<()>> {
    let settled = places
        .iter()
        .zip(desired)
        .map(|(key, object)| children::settle(pass, (R::NAME, const { &R::META.settings }), key, object, keep));
    let mut waits = Vec::new();
    let mut entries = Vec::with_capacity(desired.len());
    for settled in join_all(settled).await.into_iter().collect::<Result<Vec<_>>>()? {
        match settled {
            Flow::Ready(entry) => {
                waits.extend(pending(resource, &entry)?);
                entries.push(entry);
            }
            other => waits.push(other.map(|_| ())),
        }
    }
    // A failure outweighs a wait: it is what a person has to look at.
    if let Some(wait) = waits.into_iter().next() {
        return Ok(wait);
    }
    if pass.pass.running.is_read(index) {
        let children = entries
            .iter()
            .map(|entry| entry.decode())
            .collect::<serde_json::Result<Vec<_>>>()?;
        pass.pass.scope.outputs.set(index, Children::<R::Object>::new(children));
    }
    Ok(Flow::Ready(()))
}

/// Why a child is not ready, if so; found out once per version of the child.
fn pending<R: Manifest>(resource: &R, entry: &ChildEntry) -> Result<Option<Flow<()>>> {
    let known = entry.memo().readiness.clone();
    let readiness = match known {
        Some(readiness) => readiness,
        None => {
            let own = resource.readiness(&entry.decode()?);
            let readiness = own.unwrap_or_else(|| crate::readiness::readiness(&entry.value()));
            entry.memo().readiness = Some(readiness.clone());
            readiness
        }
    };
    Ok(match readiness {
        Readiness::Ready => None,
        Readiness::Pending { reason, message } => Some(Flow::Wait(
            Wait::new(format!("{}: {message}", entry.key)).with_reason(reason),
        )),
        Readiness::Failed { reason, message } => {
            return Err(crate::error::ErrorExt::reason(
                anyhow::anyhow!("{}: {message}", entry.key),
                reason.to_string(),
            ));
        }
    })
}
