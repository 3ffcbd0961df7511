//! Children whose owner is gone: reported and left alone, or removed where the operator says `orphans = "delete"`.

use std::{sync::Arc, time::Duration};

use crate::{
    cluster::Failure,
    context::Trigger,
    executor::{Release, Running, policy, release},
    operator::{Operator, Orphans},
    record::{Mark, Proof, prove},
    store::ChildEntry,
};

/// When an orphan that could not be removed is tried again.
const AGAIN: Duration = Duration::from_secs(30);

impl<O: Operator> Running<O> {
    /// Deals with children that were left by an object that is gone: somebody took its finalizer off. Says when to look again.
    ///
    /// An operator that is limited to some namespaces also sees children of objects that it does not watch; and a watch that
    /// lags behind may show a child that is gone. So both are read live first. What the order of deletion was is lost with the
    /// object: they are removed in none.
    pub(crate) async fn orphans(&self, uid: &Arc<str>) -> Option<(Duration, Trigger)> {
        let mut again = None;
        for child in self.children.of_owner(uid) {
            // Its object may well be there: nobody has seen that namespace yet.
            if !self.knows_owner(&child) {
                continue;
            }
            let dealt = match self.orphan(&child).await {
                Ok(Some(mark)) => self.deal_with(&child, &mark).await,
                Ok(None) => Ok(()),
                Err(failure) => Err(failure),
            };
            if let Err(failure) = dealt {
                self.tell_undecided(&child, &failure);
                if O::ORPHANS == Orphans::Delete {
                    again = Some((AGAIN, Trigger::Retry));
                    continue;
                }
            }
            // Said once: what the watch shows of it later files it anew.
            self.children.forget(&child.uid);
        }
        again
    }

    /// What failed is tried again where orphans are removed; where they are reported, there is nothing to report.
    fn tell_undecided(&self, child: &ChildEntry, failure: &Failure) {
        let (controller, child) = (&self.names.operator, &child.key);
        match O::ORPHANS {
            Orphans::Report => tracing::debug!(%controller, %child, "cannot tell whether its owner is gone: {failure}"),
            Orphans::Delete => tracing::warn!(
                %controller,
                %child,
                "the object that this child belongs to seems to be gone, and the child cannot be removed: {failure}"
            ),
        }
    }

    /// Whether the namespace of a child's owner has been seen.
    fn knows_owner(&self, child: &ChildEntry) -> bool {
        let owner = Mark::on(&child.meta()).map(|mark| mark.owner.namespace);
        let namespace = owner.as_deref().filter(|namespace| !namespace.is_empty());
        self.namespaces.knows(namespace)
    }

    /// The mark of a child whose owner is gone. `None`: it is gone itself or going, is not ours (any more), or its owner is there.
    async fn orphan(&self, child: &ChildEntry) -> Result<Option<Mark>, Failure> {
        let key = &child.key;
        let live = self.cluster.get(&key.kind, key.namespace.as_deref(), &key.name).await?;
        let live = live.filter(|live| {
            live.metadata.uid.as_deref() == Some(&*child.uid) && live.metadata.deletion_timestamp.is_none()
        });
        let Some((live, mark)) = live.and_then(|live| Mark::on(&live.metadata).map(|mark| (live, mark))) else {
            return Ok(None);
        };
        let this = crate::record::Identity::new(&key.kind, key.namespace.as_deref(), &key.name);
        let proof = prove(&live.metadata, &this, &self.names, &mark.owner, &mark.uid);
        if !matches!(proof, Proof::Ours(_)) || mark.owner.kind != self.kind.to_string() {
            return Ok(None);
        }
        let namespace = Some(&*mark.owner.namespace).filter(|namespace| !namespace.is_empty());
        let owner = self.cluster.get(&self.kind, namespace, &mark.owner.name).await?;
        let gone = owner.is_none_or(|owner| owner.metadata.uid.as_deref() != Some(&*mark.uid));
        Ok(gone.then_some(mark))
    }

    async fn deal_with(&self, child: &ChildEntry, mark: &Mark) -> Result<(), Failure> {
        let key = &child.key;
        let what = match (O::ORPHANS, mark.keep) {
            (Orphans::Report, _) => {
                tracing::warn!(
                    controller = %self.names.operator,
                    child = %key,
                    owner = %mark.uid,
                    "the object that this child belongs to is gone, its finalizer was taken off by somebody else: delete the child if nobody needs it"
                );
                return Ok(());
            }
            (Orphans::Delete, true) => {
                let released = release(&self.cluster, &self.names, &key.kind, key, &child.uid).await?;
                if released != Release::Done {
                    return Ok(());
                }
                "left behind"
            }
            (Orphans::Delete, false) => {
                let namespace = key.namespace.as_deref();
                let said = self.inventory.node(&child.resource).and_then(|node| node.propagation);
                let policy = policy(&key.kind, said);
                let answer = self
                    .cluster
                    .delete(&key.kind, namespace, &key.name, &child.uid, policy)
                    .await;
                match answer {
                    // It went meanwhile, or is another one by now.
                    Err(failure) if failure.is_not_found() || failure.is_conflict() => return Ok(()),
                    answer => answer?,
                };
                "deleted"
            }
        };
        tracing::info!(
            controller = %self.names.operator,
            child = %key,
            owner = %mark.uid,
            "the object that this child belongs to is gone, its finalizer was taken off by somebody else: the child is {what}"
        );
        Ok(())
    }
}
