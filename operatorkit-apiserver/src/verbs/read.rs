//! Get.

use std::sync::Arc;

use super::{
    call::{Call, Outcome},
    list,
    selection::Selection,
};
use crate::{
    failure::Failure,
    request::{ListOptions, options::version},
    store::{Key, PageQuery, Stored},
};

/// The object that the path names.
pub(crate) fn get(call: &Call) -> Result<Outcome, Failure> {
    // The real server gives no reason.
    let version = version::parameter(call.query.text("resourceVersion")).map_err(|why| Failure::new(500, "", why))?;
    if let Some(version) = version {
        let now = call.newest();
        if version > now {
            return Err(list::future(version, now));
        }
    }
    let stored = match call.frozen_at {
        Some(version) => earlier(call, &call.key(), version)?,
        None => call.stored()?,
    };
    Ok(Outcome::stored(stored))
}

/// An object as it was at a version.
pub(super) fn earlier(call: &Call, key: &Key, version: u64) -> Result<Arc<Stored>, Failure> {
    let query = PageQuery {
        at: Some(version),
        namespace: Some(&key.namespace),
        from: None,
        limit: 0,
        matches: &|stored| stored.key() == key,
    };
    let page = call
        .core
        .store
        .page(&call.served.table, &query)
        .map_err(|_| Failure::expired("compacted"))?;
    page.objects
        .into_iter()
        .next()
        .ok_or_else(|| Failure::not_found(call.served.target(&key.name)))
}

/// The options of a list that a get with `watch` is.
pub(crate) fn is_watch(call: &Call) -> bool {
    call.place.watch || call.place.name.is_none() && call.query.switch("watch")
}

/// The options of the list or watch.
pub(crate) fn list_options(call: &Call) -> Result<ListOptions, Failure> {
    ListOptions::parse(&call.query, is_watch(call))
}

/// Which objects a deletion of many is about.
pub(crate) fn selected(call: &Call) -> Result<ListOptions, Failure> {
    let options = list_options(call)?;
    Selection::new(&options, &call.served, None)?;
    Ok(options)
}
