//! A page of a table as it was at a version.

use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Included, Unbounded},
    sync::Arc,
};

use super::{
    history::History,
    object::{Key, Stored},
};

/// Which objects are asked for.
pub struct PageQuery<'a> {
    /// The version; `None` for now.
    pub at: Option<u64>,
    /// Only this namespace; `None` for all.
    pub namespace: Option<&'a str>,
    /// Only this key, and what comes after it.
    pub from: Option<&'a Key>,
    /// At most this many; 0 for all.
    pub limit: usize,
    /// Only these.
    pub matches: &'a dyn Fn(&Stored) -> bool,
}

impl std::fmt::Debug for PageQuery<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut f = f.debug_struct("PageQuery");
        f.field("at", &self.at).field("namespace", &self.namespace);
        f.field("from", &self.from)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Some objects of a table at one version.
#[derive(Debug)]
pub struct Page {
    /// The version.
    pub version: u64,
    /// The objects, by namespace and name.
    pub objects: Vec<Arc<Stored>>,
    /// How many more there are, matching or not.
    pub remaining: usize,
}

/// Why a version cannot be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It is no longer known; this is the oldest that is.
    Compacted(u64),
    /// It is not there yet; this is the newest.
    Future(u64),
}

pub(super) fn page(
    objects: &BTreeMap<Key, Arc<Stored>>,
    history: &History,
    now: u64,
    query: &PageQuery<'_>,
) -> Result<Page, Unavailable> {
    let version = query.at.unwrap_or(now);
    if version > now {
        return Err(Unavailable::Future(now));
    }
    let past = past(history, version, now)?;
    let start = match (query.from, query.namespace) {
        (Some(from), _) => Included(from.clone()),
        (None, Some(namespace)) => Included(Key::new(namespace, "")),
        (None, None) => Unbounded,
    };
    let here = |key: &Key| query.namespace.is_none_or(|namespace| *key.namespace == *namespace);
    let mut all = merged(objects, &past, &start).take_while(|object| here(object.key()));
    let mut page = Page {
        version,
        objects: Vec::new(),
        remaining: 0,
    };
    for object in all.by_ref() {
        if !(query.matches)(object) {
            continue;
        }
        if query.limit > 0 && page.objects.len() == query.limit {
            page.remaining = 1 + all.count();
            break;
        }
        page.objects.push(object.clone());
    }
    Ok(page)
}

/// What was otherwise at an earlier version: the objects that changed since, as they were; `None` if they were not there.
fn past(history: &History, version: u64, now: u64) -> Result<BTreeMap<&Key, Option<&Arc<Stored>>>, Unavailable> {
    let mut past = BTreeMap::new();
    if version == now {
        return Ok(past);
    }
    let before = history
        .before(version)
        .ok_or(Unavailable::Compacted(history.compacted()))?;
    for (key, object) in before {
        past.entry(key).or_insert(object);
    }
    Ok(past)
}

/// The present objects with the past ones in their places, in order.
fn merged<'a>(
    objects: &'a BTreeMap<Key, Arc<Stored>>,
    past: &'a BTreeMap<&'a Key, Option<&'a Arc<Stored>>>,
    start: &std::ops::Bound<Key>,
) -> impl Iterator<Item = &'a Arc<Stored>> {
    let present = objects.range((start.clone(), Unbounded));
    let mut present = present
        .filter(|(key, _)| !past.contains_key(key))
        .map(|(_, object)| object)
        .peekable();
    let after = move |key: &Key| match &start {
        Excluded(start) => key > start,
        Included(start) => key >= start,
        Unbounded => true,
    };
    let start = past.iter().filter(move |(key, _)| after(key)).collect::<Vec<_>>();
    let mut earlier = start.into_iter().filter_map(|(_, object)| *object).peekable();
    std::iter::from_fn(move || match (present.peek(), earlier.peek()) {
        (Some(a), Some(b)) if a.key() > b.key() => earlier.next(),
        (None, _) => earlier.next(),
        _ => present.next(),
    })
}
