//! When the passes may begin, and what is done as a namespace gets known.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::strays;
use crate::{context::Trigger, executor::Running, operator::Operator};

/// Until passes may run: on no store that was never filled. Of several namespaces those count that can be watched; the others say why they
/// cannot, and are taken in as soon as they can. A watch over children that is not filled holds up its own kind only.
pub(super) async fn ready<O: Operator>(running: &Arc<Running<O>>, shutdown: &CancellationToken) {
    running.namespaces.ready().await;
    running.watches.settled().await;
    let unknown = running.namespaces.unknown();
    let is_known = |namespace: &Option<String>| unknown.iter().all(|(other, _)| other != namespace);
    for namespace in running.namespaces.all().iter().filter(|namespace| is_known(namespace)) {
        strays::find(running, namespace.as_deref()).await;
    }
    for (namespace, failure) in unknown {
        tracing::warn!(
            controller = %running.names.operator,
            namespace = namespace.as_deref(),
            "objects in this namespace are not handled until it can be watched: {}",
            failure.map_or_else(|| "it was not seen yet".to_owned(), |failure| failure.to_string())
        );
        let (running, shutdown) = (running.clone(), shutdown.clone());
        tokio::spawn(async move { shutdown.run_until_cancelled(late(&running, namespace.as_deref())).await });
    }
}

/// Takes in a namespace that gets known while passes run.
async fn late<O: Operator>(running: &Arc<Running<O>>, namespace: Option<&str>) {
    running.namespaces.known(namespace).await;
    tracing::info!(controller = %running.names.operator, namespace, "objects in this namespace are handled now");
    strays::find(running, namespace).await;
    // Children whose owner is not among its objects: now that tells something.
    let unowned = running.children.owners().into_iter();
    unowned
        .filter(|uid| running.objects.get(uid).is_none())
        .for_each(|uid| running.queue.add(uid, Trigger::ChildChanged));
}
