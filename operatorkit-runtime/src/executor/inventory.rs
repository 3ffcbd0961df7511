//! Keeping the inventory: widened before the first child, narrowed after a live look.

use std::{collections::HashSet, sync::Arc};

use super::{Pass, finalizer, look, pass::Wanted, succession};
use crate::{
    cluster::Kind,
    error::Result,
    operator::Operator,
    record::{Inventory, StoredKind},
};

/// Stores finalizer and inventory before anything can be made.
pub(super) async fn prepare<O: Operator>(pass: &Pass<O>) -> Result<finalizer::Stored> {
    let entry = pass.entry();
    let names = &pass.running.names;
    if pass.running.is_stored(&entry) && entry.has_finalizer(&names.finalizer) && !entry.is_to_be_succeeded(names) {
        return Ok(finalizer::Stored::Yes);
    }
    // Boxed: it is needed once in an object's life.
    Box::pin(store(pass)).await
}

async fn store<O: Operator>(pass: &Pass<O>) -> Result<finalizer::Stored> {
    let code = pass.running.inventory.clone();
    let inventory = match pass.entry().inventory(&pass.running.names) {
        Some(stored) => code.with_stored(&stored),
        None => code,
    };
    for stored in &inventory.kinds {
        pass.running
            .watches
            .ensure(&pass.running.interned(stored.kind.clone()), stored.any_namespace);
    }
    if succession::object(pass, &inventory).await? == finalizer::Stored::NoLonger {
        return Ok(finalizer::Stored::NoLonger);
    }
    finalizer::store(pass, &inventory).await
}

/// Makes sure that kinds are watched, and in the inventory, before their first child is made: one write for all of them.
pub(super) async fn cover<O: Operator>(pass: &Pass<O>, kinds: &HashSet<Arc<Kind>>, any_namespace: bool) -> Result<()> {
    if kinds.is_empty() {
        return Ok(());
    }
    let mut code = pass.running.inventory.clone();
    let add: Vec<_> = kinds
        .iter()
        .inspect(|kind| pass.running.watches.ensure(kind, any_namespace))
        .map(|kind| StoredKind {
            kind: (**kind).clone(),
            any_namespace,
        })
        .filter(|kind| code.add_kind(kind.clone()))
        .collect();
    if add.is_empty() {
        return Ok(());
    }
    let _one_at_a_time = pass.patching.lock().await;
    let mut inventory = current(pass);
    let before = inventory.clone();
    add.into_iter().for_each(|kind| {
        inventory.add_kind(kind);
    });
    if inventory != before {
        match finalizer::store(pass, &inventory).await? {
            finalizer::Stored::Yes => {}
            finalizer::Stored::NoLonger => anyhow::bail!("the object is being deleted"),
        }
    }
    Ok(())
}

/// Forgets resources that left the code, and kinds that are not used any more, once nothing of them is left.
pub(super) async fn narrow<O: Operator>(pass: &Pass<O>, wanted: &Wanted) -> Result<()> {
    let code = &pass.running.inventory;
    let stored = current(pass);
    // On a store that is not filled nothing is forgotten.
    if look::ready(pass, &stored).await?.is_some() {
        return Ok(());
    }
    let mut narrowed = code.clone();
    for kind in &stored.kinds {
        let in_use = wanted.children.keys().any(|key| key.kind.is_same(&kind.kind));
        let needed = code.kinds.iter().any(|known| known.kind.is_same(&kind.kind)) || in_use;
        if needed || !look::is_unused(pass, kind).await? {
            narrowed.add_kind(kind.clone());
        }
    }
    let children = pass.running.children.of_owner(&pass.uid);
    let entry = pass.entry();
    let left = |name: &str| entry.slots.contains_key(name) || children.iter().any(|child| *child.resource == *name);
    let mut kept = stored.clone();
    kept.keep_nodes(|name| code.node(name).is_some() || left(name));
    narrowed.add_nodes(&kept);
    if narrowed != stored {
        finalizer::store(pass, &narrowed).await?;
    }
    Ok(())
}

fn current<O: Operator>(pass: &Pass<O>) -> Inventory {
    pass.entry()
        .inventory(&pass.running.names)
        .unwrap_or_else(|| pass.running.inventory.clone())
}
