//! What metrics read of a running operator.

use std::{collections::BTreeMap, sync::Arc};

use super::{Running, pause};
use crate::{
    cluster::Kind,
    metrics::{ChildrenOf, ObjectSeen, QueueSeen, Source},
    operator::Operator,
};

impl<O: Operator> Source for Running<O> {
    fn queue(&self) -> QueueSeen {
        QueueSeen {
            queued: self.queue.len(),
            running: self.queue.running(),
            longest: self.queue.longest_run(),
        }
    }

    fn objects(&self) -> Vec<ObjectSeen> {
        let objects = self.objects.all().into_iter().map(|entry| ObjectSeen {
            paused: pause::holding(&entry).is_some(),
            meta: entry.meta.clone(),
        });
        objects.collect()
    }

    fn children(&self) -> BTreeMap<ChildrenOf, usize> {
        let of = |resource: Arc<str>, kind: &Kind| ChildrenOf {
            resource,
            group: kind.group.clone(),
            kind: kind.kind.clone(),
        };
        let mut children: BTreeMap<_, _> = self
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(index, node)| Some((of(node.meta().name.into(), self.static_kind(index)?), 0)))
            .collect();
        self.children
            .each(|child| *children.entry(of(child.resource.clone(), &child.key.kind)).or_default() += 1);
        children
    }
}
