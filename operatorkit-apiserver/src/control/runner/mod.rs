//! Carries out what the workload controllers and the stand-in kubelet want, and asks them again when something has changed.
//!
//! | module | what |
//! |---|---|
//! | [`cache`] | the objects that they look at |
//! | [`due`] | whom a change concerns |
//! | [`look`] | what the controller of an object wants |
//! | [`act`] | carries it out |

mod act;
mod cache;
mod due;
mod look;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;

use self::{act::Actor, cache::Cache};
use super::feed::Feed;
use crate::{
    core::Core,
    store::{Key, TableId},
};

/// One object of one table.
type Item = (TableId, Key);

/// How long an object waits for the next try after something has failed.
const RETRY: Duration = Duration::from_secs(1);

/// The name of the node that the stand-in kubelet serves.
pub(crate) const NODE: &str = "operatorkit-node";

/// Runs the workload controllers and the kubelet until it is dropped.
pub(crate) async fn run(core: Arc<Core>, mut feed: Feed) {
    let mut runner = Runner {
        actor: Actor::new(core.clone()),
        core,
        cache: Cache::default(),
        failures: HashMap::new(),
        later: BTreeMap::new(),
        ended: BTreeSet::new(),
    };
    loop {
        let mut due = BTreeSet::new();
        tokio::select! {
            changes = feed.next() => for changed in changes {
                due.extend(runner.take(&changed));
            },
            () = runner.wait() => due.extend(runner.ripe()),
        }
        for item in due {
            runner.attend(&item).await;
        }
    }
}

struct Runner {
    core: Arc<Core>,
    actor: Actor,
    cache: Cache,
    /// Why the last create or delete for an object did not work.
    failures: HashMap<Item, String>,
    /// Objects that must be looked at again at a time.
    later: BTreeMap<Timestamp, BTreeSet<Item>>,
    /// Services that were deleted, and not looked at since.
    ended: BTreeSet<Item>,
}

impl Runner {
    /// Takes a change in; the objects that it concerns.
    fn take(&mut self, changed: &super::feed::Changed) -> BTreeSet<Item> {
        let catalog = self.core.registry.catalog();
        let Some(served) = catalog
            .of_table(&changed.table)
            .filter(|served| cache::is_looked_at(&served.table))
        else {
            return BTreeSet::new();
        };
        let object = crate::verbs::strategy::show(served, &changed.object);
        let item = (changed.table.clone(), changed.object.key().clone());
        if changed.deleted && *item.0 == *cache::SERVICES {
            self.ended.insert(item.clone());
        }
        let before = self.cache.put(&item, (!changed.deleted).then(|| object.clone()));
        let mut due = due::concerned(&self.cache, &item, &object);
        if let Some(before) = before {
            due.extend(due::concerned(&self.cache, &item, &before));
        }
        due
    }

    /// Until the first of those that wait.
    async fn wait(&self) {
        let Some(first) = self.later.keys().next() else {
            return std::future::pending().await;
        };
        let left = self.core.clock.now().duration_until(*first);
        tokio::time::sleep(Duration::try_from(left).unwrap_or_default()).await;
    }

    /// Those whose time has come.
    fn ripe(&mut self) -> BTreeSet<Item> {
        let now = self.core.clock.now();
        let mut ripe = BTreeSet::new();
        while let Some(entry) = self.later.first_entry().filter(|entry| *entry.key() <= now) {
            ripe.extend(entry.remove());
        }
        ripe
    }

    async fn attend(&mut self, item: &Item) {
        let failure = self.failures.remove(item);
        let now = self.core.clock.now();
        let number = self.actor.number(item, &self.cache);
        let ended = self.ended.remove(item);
        let wanted = look::look(&self.cache, item, failure.as_deref(), number, now);
        let Some(wanted) = wanted.or_else(|| look::look_left(&self.cache, item, ended)) else {
            return;
        };
        for plan in wanted {
            if let Some(again) = plan.again {
                self.later.entry(again).or_default().insert(item.clone());
            }
            for action in &plan.actions {
                if let Err(failure) = self.actor.carry_out(&item.0, action).await {
                    let again = now.saturating_add(RETRY).unwrap_or(now);
                    self.later.entry(again).or_default().insert(item.clone());
                    self.failures.insert(item.clone(), failure.message);
                    break;
                }
            }
        }
    }
}
