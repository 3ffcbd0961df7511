//! Bringing one child to what is desired: skip, create or change; never a bare apply.

use std::{collections::HashSet, sync::Arc, time::Duration};

use anyhow::anyhow;
use kube::core::DynamicObject;
use serde_json::Value;

use super::{Forward, Pass, creation};
use crate::{
    cluster::Kind,
    compare,
    context::Trigger,
    error::{ErrorExt as _, Result},
    flow::{Flow, Wait},
    graph::Settings,
    operator::Operator,
    record::{Identity, OPERATOR_LABEL},
    resource::{Child, ChildKind, Manifest},
    store::{ChildEntry, ChildKey, Freshness},
};

/// How soon a terminating child that no watch shows is looked at again.
const UNWATCHED: Duration = Duration::from_secs(1);

/// Where each desired child belongs; refuses what its scope forbids before anything is written.
pub(super) async fn places<O: Operator, R: Manifest<Operator = O>>(
    pass: &Forward<O>,
    index: usize,
    desired: &[R::Object],
) -> Result<Vec<ChildKey>> {
    let any_namespace = R::META.settings.any_namespace;
    let mut keys = Vec::with_capacity(desired.len());
    let mut dynamic = HashSet::new();
    for object in desired {
        let kind = match pass.pass.running.static_kind(index) {
            // Watched and in the inventory since the start.
            Some(kind) => kind.clone(),
            None => {
                let kind = dynamic_kind(pass, object).await?;
                dynamic.insert(kind.clone());
                kind
            }
        };
        let key = place(pass, &kind, object, any_namespace)?;
        pass.want(key.clone(), R::NAME)?;
        keys.push(key);
    }
    super::inventory::cover(&pass.pass, &dynamic, any_namespace).await?;
    Ok(keys)
}

async fn dynamic_kind<O: Operator, T: Child>(pass: &Forward<O>, object: &T) -> Result<Arc<Kind>> {
    let types = <T::DynamicType as ChildKind<T>>::of_object(object);
    let types = types.ok_or_else(|| invalid(format!("`{}` says neither apiVersion nor kind", named(object))))?;
    pass.pass.running.resolve(&types.api_version, &types.kind).await
}

fn place<O: Operator, T: Child>(
    pass: &Forward<O>,
    kind: &Arc<Kind>,
    object: &T,
    any_namespace: bool,
) -> Result<ChildKey> {
    let meta = object.meta();
    let name = meta.name.as_deref().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| {
        invalid(format!(
            "a desired {kind} has no name: set `metadata.name` (see `cx.child_name`)"
        ))
    })?;
    let own = pass.pass.scope.meta.namespace.as_deref();
    let said = meta.namespace.as_deref().filter(|namespace| !namespace.is_empty());
    let elsewhere = |what: &str| {
        invalid(format!(
            "{kind} {name} {what}: say `namespaces = any` in the #[resource(..)] if that is meant"
        ))
    };
    let namespace = match (kind.namespaced, said, own) {
        (false, Some(namespace), _) => {
            return Err(invalid(format!(
                "{kind} {name} is cluster-scoped and cannot be in the namespace `{namespace}`: leave it out"
            )));
        }
        (false, None, Some(_)) if !any_namespace => return Err(elsewhere("is cluster-scoped, its object is not")),
        (false, None, _) => None,
        (true, None, None) => {
            return Err(invalid(format!(
                "{kind} {name} has no namespace, and neither has its object: set `metadata.namespace`"
            )));
        }
        (true, Some(namespace), own) if own != Some(namespace) && !any_namespace => {
            return Err(elsewhere(&format!(
                "is to be in the namespace `{namespace}`, which is not its object's"
            )));
        }
        (true, said, own) => said.or(own),
    };
    Ok(ChildKey::new(kind, namespace, name))
}

fn named<T: Child>(object: &T) -> &str {
    object.meta().name.as_deref().unwrap_or("an object without a name")
}

pub(super) fn invalid(message: String) -> anyhow::Error {
    anyhow!(message).reason("InvalidDesired").permanent()
}

/// One child, brought to what is desired; `keep`: it is left behind when it would be deleted. `Ready` means that it carries it, not that it is ready.
pub(super) async fn settle<O: Operator, T: Child>(
    pass: &Forward<O>,
    resource: (&'static str, &'static Settings),
    key: &ChildKey,
    desired: &T,
    keep: bool,
) -> Result<Flow<Arc<ChildEntry>>> {
    let running = &pass.pass.running;
    if let Some(wait) = running
        .watches
        .unready(&key.kind, key.namespace.as_deref(), &pass.pass.uid)
    {
        return Ok(Flow::Wait(wait));
    }
    let fingerprint = (compare::fingerprint(desired), keep);
    let known = running.children.find(&pass.pass.uid, key);
    if let Some(entry) = &known
        && entry.freshness == Freshness::Known
        && !entry.terminating
        && entry.memo().settled == Some(fingerprint)
    {
        return Ok(Flow::Ready(entry.clone()));
    }
    let mut value = serde_json::to_value(desired)?;
    compare::prepare(&mut value);
    let wanted = creation::Wanted::new(&pass.pass, resource, key, value, keep)?;
    // Boxed: the usual case ends above, and its future stays small.
    let settled = Box::pin(creation::bring(pass, &wanted, known)).await?;
    if let Flow::Ready(entry) = &settled {
        entry.memo().settled = Some(fingerprint);
    }
    Ok(settled)
}

/// A terminating child is neither ready nor made again.
pub(super) fn terminating<O: Operator>(pass: &Pass<O>, entry: &ChildEntry) -> Wait {
    let finalizers = entry.meta().finalizers.unwrap_or_default();
    let held = if finalizers.is_empty() {
        String::new()
    } else {
        format!(", held by {}", finalizers.join(", "))
    };
    let wait = Wait::new(format!("{} is being deleted{held}", entry.key)).with_reason("Terminating");
    if is_watched(pass, entry) {
        wait
    } else {
        wait.with_again(UNWATCHED)
    }
}

/// Whether only a live read tells how a terminating child is: where no watch shows it, and at a resync, in case that an event
/// was missed.
pub(super) fn is_unsure<O: Operator>(pass: &Pass<O>, entry: &ChildEntry) -> bool {
    entry.terminating && (pass.scope.triggers.contains(Trigger::Resync) || !is_watched(pass, entry))
}

/// Whether our watch shows a child: it goes by the label, which somebody may have taken off.
fn is_watched<O: Operator>(pass: &Pass<O>, entry: &ChildEntry) -> bool {
    let labels = entry.meta().labels.unwrap_or_default();
    labels
        .get(OPERATOR_LABEL)
        .is_some_and(|operator| pass.running.names.is_ours(operator))
}

/// The identity under which a child's mark names it.
pub(super) fn identity(key: &ChildKey) -> Identity {
    Identity::new(&key.kind, key.namespace.as_deref(), &key.name)
}

/// The object as JSON.
pub(super) fn value_of(object: &DynamicObject) -> Value {
    serde_json::to_value(object).unwrap_or_default()
}
