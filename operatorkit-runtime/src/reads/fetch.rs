//! Reading: from what is kept, or live, once per version.

use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};

use super::{
    Reads,
    key::{Key, ListKey, PlaceKey},
    place::{Body, Object as Erased, Place, Standing},
    table::Asks,
};
use crate::{cluster::Kind, context::Trigger, error::Result, operator::Object, store::Version};

/// How often something is read anew because it has changed meanwhile.
const TRIES: usize = 10;

/// What a read came to.
#[derive(Debug)]
pub(crate) enum Reading<K> {
    There(Arc<K>),
    Absent,
    /// The API server does not have the kind, so there is no such object.
    NotServed,
}

impl<K> Reading<K> {
    pub(crate) fn there(self) -> Option<Arc<K>> {
        match self {
            Self::There(object) => Some(object),
            Self::Absent | Self::NotServed => None,
        }
    }
}

impl Reads {
    /// An object by name.
    pub(super) async fn object<K: Object>(&self, by: Asks<'_>, place: &PlaceKey, key: &Key) -> Result<Reading<K>> {
        let read = async {
            if self.is_served(place, by).await? {
                self.body(place, key).await
            } else {
                Ok(Reading::NotServed)
            }
        };
        read.await
            .with_context(|| format!("cannot read {} {key}", Kind::of::<K>()))
    }

    /// The objects with some labels, in a namespace or in all, by name.
    pub(super) async fn list<K: Object>(&self, by: Asks<'_>, place: &PlaceKey, key: &ListKey) -> Result<Vec<Arc<K>>> {
        let read = async {
            if self.is_served(place, by).await? {
                self.bodies(place, key).await
            } else {
                Ok(Vec::new())
            }
        };
        read.await.with_context(|| format!("cannot list {}", Kind::of::<K>()))
    }

    /// Waits until the watch of a place can be relied on. `false`: the kind is not served.
    async fn is_served(&self, key: &PlaceKey, by: Asks<'_>) -> Result<bool> {
        let mut changed = self.0.changed.subscribe();
        loop {
            let standing = self.with(key, |place| place.standing(by.uid));
            match standing.unwrap_or(Standing::Good) {
                Standing::Good => return Ok(true),
                Standing::NotServed => return Ok(false),
                Standing::Failing(failure) => return Err(failure.into()),
                Standing::Unknown => {}
            }
            tokio::select! {
                // The sender lives as long as `self`.
                _ = changed.changed() => {}
                () = self.0.shutdown.cancelled() => bail!("the operator stops"),
            }
        }
    }

    /// The body that is kept, or a live one.
    async fn body<K: Object>(&self, place: &PlaceKey, key: &Key) -> Result<Reading<K>> {
        if let Some(known) = self.kept(place, key) {
            return Ok(known);
        }
        let turn = self.with(place, |place| Some(place.entry(key)?.turn())).flatten();
        // Whoever else reads it waits here, and then finds it.
        let _turn = match &turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        let kind = Kind::of::<K>();
        for _ in 0..TRIES {
            if let Some(known) = self.kept(place, key) {
                return Ok(known);
            }
            let since = self.with(place, |place| Some(place.entry(key)?.fetching())).flatten();
            let live = self
                .0
                .cluster
                .read::<K>(&kind, key.namespace.as_deref(), &key.name)
                .await;
            let live = match live {
                Ok(live) => live.map(Arc::new),
                Err(failure) if failure.is_not_served() => return Ok(Reading::NotServed),
                Err(failure) => return Err(failure.into()),
            };
            let body = live.clone().map_or(Body::Absent, |object| Body::Present {
                version: version(&*object),
                object,
            });
            let current = |place: &mut Place| Some(place.entry(key)?.fetched(&body, since?));
            // What is not kept any more, since another pass of the object has let it go, is as good as it gets.
            if self.with(place, current).flatten().unwrap_or(true) {
                return Ok(live.map_or(Reading::Absent, Reading::There));
            }
        }
        Err(anyhow!("it changes faster than it can be read"))
    }

    fn kept<K: Object>(&self, place: &PlaceKey, key: &Key) -> Option<Reading<K>> {
        match self.with(place, |place| place.entry(key)?.body.clone()).flatten()? {
            Body::Absent => Some(Reading::Absent),
            Body::Present { object, .. } => object.downcast().ok().map(Reading::There),
        }
    }

    /// What is in a list; each body is kept or live.
    async fn bodies<K: Object>(&self, place: &PlaceKey, key: &ListKey) -> Result<Vec<Arc<K>>> {
        let members = self.members::<K>(place, key).await?;
        let mut all = Vec::with_capacity(members.len());
        for member in members {
            let read = self.body::<K>(place, &member).await?.there();
            // What was taken out of the list a moment ago is not in it.
            let labels = |object: &Arc<K>| object.meta().labels.clone().unwrap_or_default();
            match read.filter(|object| key.selects(&labels(object))) {
                Some(object) => all.push(object),
                None => {
                    self.with(place, |place| place.not_in_list(key, &member));
                }
            }
        }
        Ok(all)
    }

    /// The names in a list: as they are known, or by a live list, whose bodies are then known.
    async fn members<K: Object>(&self, place: &PlaceKey, key: &ListKey) -> Result<Vec<Key>> {
        let turn = self.with(place, |place| place.list_turn(key)).flatten();
        let _turn = match &turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        let kind = Kind::of::<K>();
        for _ in 0..TRIES {
            if let Some(known) = self.with(place, |place| place.members(key)).flatten() {
                return Ok(known);
            }
            self.with(place, |place| place.listing(key));
            let listed = self
                .0
                .cluster
                .read_all::<K>(&kind, key.namespace.as_deref(), &key.labels);
            let listed = match listed.await {
                Err(failure) if failure.is_not_served() => return Ok(Vec::new()),
                listed => listed?,
            };
            let found: Vec<_> = listed
                .into_iter()
                .filter_map(|object| Some((Key::of(object.meta())?, version(&object), Arc::new(object) as Erased)))
                .collect();
            let woken = self.with(place, |place| place.took_list(key, &found)).flatten();
            self.0.wake(woken.unwrap_or_default(), Trigger::ReadChanged);
        }
        Err(anyhow!("it changes faster than it can be read"))
    }

    fn with<T>(&self, key: &PlaceKey, change: impl FnOnce(&mut Place) -> T) -> Option<T> {
        self.0.table().place(key).map(change)
    }
}

fn version<K: Object>(object: &K) -> Version {
    Version::of(object.meta().resource_version.as_deref())
}
