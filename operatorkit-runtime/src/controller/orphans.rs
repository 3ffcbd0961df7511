//! Children whose owner is gone: reported, and otherwise left alone.

use std::sync::Arc;

use crate::{cluster::Failure, executor::Running, operator::Operator, record::Mark, store::ChildEntry};

impl<O: Operator> Running<O> {
    /// Says that children were left by an object that is gone: somebody took its finalizer off.
    ///
    /// An operator that is limited to some namespaces also sees children of objects that it does not watch; and a watch that
    /// lags behind may show a child that is gone. So both are read live first.
    pub(crate) async fn report_orphans(&self, uid: &Arc<str>) {
        for child in self.children.of_owner(uid) {
            // Its object may well be there: nobody has seen that namespace yet.
            if !self.knows_owner(&child) {
                continue;
            }
            match self.is_orphan(&child).await {
                Ok(false) => {}
                Ok(true) => tracing::warn!(
                    controller = %self.names.operator,
                    child = %child.key,
                    owner = %uid,
                    "the object that this child belongs to is gone, its finalizer was taken off by somebody else: delete the child if nobody needs it"
                ),
                Err(failure) => tracing::debug!(child = %child.key, "cannot tell whether its owner is gone: {failure}"),
            }
            // Said once: what the watch shows of it later files it anew.
            self.children.forget(&child.uid);
        }
    }

    /// Whether the namespace of a child's owner has been seen.
    fn knows_owner(&self, child: &ChildEntry) -> bool {
        let owner = Mark::on(&child.meta()).map(|mark| mark.owner.namespace);
        let namespace = owner.as_deref().filter(|namespace| !namespace.is_empty());
        self.namespaces.knows(namespace)
    }

    async fn is_orphan(&self, child: &ChildEntry) -> Result<bool, Failure> {
        let key = &child.key;
        let live = self.cluster.get(&key.kind, key.namespace.as_deref(), &key.name).await?;
        let Some(mark) = live.and_then(|live| Mark::on(&live.metadata)) else {
            return Ok(false);
        };
        let namespace = Some(&*mark.owner.namespace).filter(|namespace| !namespace.is_empty());
        let owner = self.cluster.get(&self.kind, namespace, &mark.owner.name).await?;
        Ok(owner.is_none_or(|owner| owner.metadata.uid.as_deref() != Some(&*mark.uid)))
    }
}
