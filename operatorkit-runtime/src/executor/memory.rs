//! What is remembered of an object between passes; freed with the object.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, MutexGuard, PoisonError},
};

use tokio::time::Instant;

use super::{Running, overdue::Waited, recreation::Recreations, unanswered::Unanswered, vanished::Last};
use crate::{cluster::Failure, context::Trigger, operator::Operator, queue::Backoff, store::ObjectEntry};

/// What is remembered of an object between passes. All of it can be lost with the process: then it is found out again.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that come and go independently, not states of one machine"
)]
pub(crate) struct Memory {
    pub(crate) backoff: Backoff,
    /// The object had our inventory when this process saw it first: its children may be older than our watches.
    pub(crate) preexisting: bool,
    /// The watch does not show the object any more: only a live read tells how it is.
    pub(crate) strayed: bool,
    /// What the watch showed last, when it showed its end or lost sight of it, if our finalizer was on it.
    pub(super) last: Option<Last>,
    /// It went so: what is left to do is done by that state, less what was stored for these resources.
    pub(super) vanished: Option<BTreeSet<String>>,
    /// The creation of a child that had no answer, the last one.
    pub(super) unanswered: Option<Unanswered>,
    /// A pause was read live in this deletion.
    pub(super) pause_read: bool,
    /// Our finalizer was taken off: whatever a late event or answer still shows, nothing is left to do.
    pub(crate) released: bool,
    /// Since when the deletion has been blocked.
    pub(super) blocked: Option<Instant>,
    /// Whether the last pass forwards left the object ready; `None` before the first.
    pub(super) ready: Option<bool>,
    /// What was logged last, so that it is said once.
    pub(super) logged: Option<String>,
    /// The failures of the last pass that were reported, and when.
    pub(super) reported: HashMap<u64, Instant>,
    /// The last one-time Event.
    pub(super) said: Option<&'static str>,
    /// The waits of resources that are to be ready within a time.
    pub(super) waits: BTreeMap<&'static str, Waited>,
    /// When children were deleted to be made again.
    pub(super) recreations: Recreations,
    /// What the server answered to a hash, by the child's UID: the digest at the sent paths.
    answers: BTreeMap<Arc<str>, (String, u64)>,
}

impl Memory {
    fn new(uid: &str) -> Self {
        Self {
            backoff: Backoff::for_object(uid),
            preexisting: false,
            strayed: false,
            last: None,
            vanished: None,
            unanswered: None,
            pause_read: false,
            released: false,
            blocked: None,
            ready: None,
            logged: None,
            reported: HashMap::new(),
            said: None,
            waits: BTreeMap::new(),
            recreations: Recreations::default(),
            answers: BTreeMap::new(),
        }
    }
}

impl<O: Operator> Running<O> {
    pub(crate) fn remember<T>(&self, uid: &Arc<str>, change: impl FnOnce(&mut Memory) -> T) -> T {
        change(self.memory().entry(uid.clone()).or_insert_with(|| Memory::new(uid)))
    }

    pub(super) fn forget(&self, uid: &str) {
        self.memory().remove(uid);
        self.reads.forget(uid);
        self.queue.forget(uid);
    }

    /// Frees what is remembered of objects that are gone and left no children: while no passes run, nothing else does.
    pub(crate) fn forget_gone(&self) {
        let known: Vec<_> = self.memory().keys().cloned().collect();
        for uid in known {
            if self.objects.get(&uid).is_none() && self.children.of_owner(&uid).is_empty() {
                self.forget(&uid);
            }
        }
    }

    /// What the server answered last to what was sent for a child: the hash that was sent, and the digest of the answer.
    pub(super) fn answered(&self, owner: &Arc<str>, child: &str) -> Option<(String, u64)> {
        self.memory().get(owner)?.answers.get(child).cloned()
    }

    pub(super) fn remember_answer(&self, owner: &Arc<str>, child: &str, hash: String, digest: u64) {
        let live = self.children.of_owner(owner);
        self.remember(owner, |memory| {
            memory
                .answers
                .retain(|known, _| live.iter().any(|child| child.uid == *known));
            memory.answers.insert(child.into(), (hash, digest));
        });
    }

    /// Whether this was not the last thing said about the object.
    pub(super) fn say_once(&self, uid: &Arc<str>, what: &'static str) -> bool {
        self.remember(uid, |memory| memory.said.replace(what) != Some(what))
    }

    /// What was said once may be said again.
    pub(super) fn forget_said(&self, uid: &Arc<str>) {
        self.remember(uid, |memory| memory.said = None);
    }

    /// The watch does not show the object any more: the next pass reads it live.
    pub(crate) fn lost_sight(&self, uid: &Arc<str>) {
        if self.objects.get(uid).is_some() {
            self.remember(uid, |memory| memory.strayed = true);
            self.queue.add(uid.clone(), Trigger::ObjectChanged);
        }
    }

    /// The watch shows the object (again). With news it is there, also if it went before: etcd may have been restored.
    pub(crate) fn in_sight(&self, uid: &Arc<str>, preexisting: bool, news: bool) {
        self.remember(uid, |memory| {
            memory.vanished.take_if(|_| news);
            memory.preexisting |= preexisting;
            memory.strayed = false;
            memory.last = None;
        });
    }

    /// Whether the watch has shown the end of an object as of one that nobody has let go of.
    pub(super) fn may_have_vanished(&self, uid: &str) -> bool {
        self.memory().get(uid).is_some_and(|memory| memory.last.is_some())
    }

    /// Reads an object that no watch shows. `None`: it is gone, and nothing is left to do for it; or that cannot be told now.
    pub(super) async fn read_strayed(&self, entry: &Arc<ObjectEntry<O>>) -> Option<Arc<ObjectEntry<O>>> {
        match self.shown_by_no_watch(entry).await {
            Ok(Some(entry)) => Some(entry),
            Ok(None) => {
                self.objects.remove(&entry.uid);
                self.queue.add(entry.uid.clone(), Trigger::ObjectChanged);
                None
            }
            Err(failure) => {
                let text = format!("cannot read an object that the watch does not show any more: {failure}");
                let before = self.remember(&entry.uid, |memory| memory.logged.replace(text.clone()));
                if before.as_ref() != Some(&text) {
                    tracing::warn!("{text}");
                }
                self.queue
                    .add_after(entry.uid.clone(), super::execute::STRAYED, Trigger::Retry);
                None
            }
        }
    }

    async fn shown_by_no_watch(&self, entry: &Arc<ObjectEntry<O>>) -> Result<Option<Arc<ObjectEntry<O>>>, Failure> {
        match self.cluster.get(&self.kind, entry.namespace(), entry.name()).await? {
            Some(live) if live.metadata.uid.as_deref() == Some(&*entry.uid) => {
                self.remember(&entry.uid, |memory| memory.last = None);
                Ok(self.take_in(live))
            }
            _ => self.left_over(entry).await,
        }
    }

    /// Queues the object again if an answer showed more than the pass has used: the watch's own event will then be no news.
    pub(super) fn queue_if_news(&self, used: &Arc<ObjectEntry<O>>) {
        let Some(latest) = self.objects.get(&used.uid) else {
            return;
        };
        if latest.version != used.version && latest.differs(used, &self.names) {
            self.queue.add(used.uid.clone(), Trigger::ObjectChanged);
        }
    }

    fn memory(&self) -> MutexGuard<'_, HashMap<Arc<str>, Memory>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
