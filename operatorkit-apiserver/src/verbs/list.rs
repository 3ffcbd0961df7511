//! List.

use std::sync::Arc;

use super::{call::Call, continuation, selection::Selection};
use crate::{
    failure::{Failure, Target},
    request::ListOptions,
    store::{Key, PageQuery, Stored, list::Unavailable},
};

/// Some objects, and where to go on.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) version: u64,
    pub(crate) objects: Vec<Arc<Stored>>,
    /// Empty at the end.
    pub(crate) continue_: String,
    /// How many more there are; `None` at the end, and where selectors make it unknown.
    pub(crate) remaining: Option<usize>,
}

/// The page of objects that the options ask for.
pub(crate) fn list(call: &Call, options: &ListOptions) -> Result<Listed, Failure> {
    let selection = selection(call, options)?;
    let mut at = version(call, options)?;
    let mut from = None;
    let namespace = if call.served.namespaced {
        call.place.namespace.as_deref()
    } else {
        None
    };
    if !options.continue_.is_empty() {
        if options.resource_version.is_some_and(|version| version > 0) {
            return Err(Failure::bad_request(
                "specifying resource version is not allowed when using continue",
            ));
        }
        let (version, key) = continuation::parse(&options.continue_, namespace)?;
        (at, from) = (version, Some(key));
    }
    // Any version will do: that is answered from the real server's cache, which knows no pages.
    let whole = options.resource_version == Some(0) && options.continue_.is_empty();
    let query = PageQuery {
        at: at.or(call.frozen_at),
        namespace,
        from: from.as_ref(),
        limit: if whole { 0 } else { options.limit },
        matches: &|stored| selection.matches(stored),
    };
    let page = call.core.store.page(&call.served.table, &query);
    let next = |version, from: &Key| continuation::token(version, from, namespace);
    let page =
        page.map_err(|why| unavailable(why, at.unwrap_or_default(), from.as_ref().map(|from| next(None, from))))?;
    let last = page.objects.last().filter(|_| page.remaining > 0);
    Ok(Listed {
        version: page.version,
        continue_: last
            .map(|last| next(Some(page.version), &continuation::behind(last.key())))
            .unwrap_or_default(),
        remaining: (page.remaining > 0 && selection.is_everything()).then_some(page.remaining),
        objects: page.objects,
    })
}

/// What the selectors select. A `get` that watches is a watch of one name.
///
/// # Errors
///
/// 400 for selectors that are none, and then what is wrong with the version.
pub(crate) fn selection(call: &Call, options: &ListOptions) -> Result<Selection, Failure> {
    let selection = Selection::new(options, &call.served, call.place.name.clone())?;
    match &options.version_error {
        Some(failure) => Err(failure.clone()),
        None => Ok(selection),
    }
}

/// The version to list at; `None` for the newest.
fn version(call: &Call, options: &ListOptions) -> Result<Option<u64>, Failure> {
    let Some(version) = options.resource_version.filter(|version| *version > 0) else {
        return Ok(None);
    };
    let now = call.newest();
    if version > now {
        return Err(future(version, now));
    }
    let exact = options.version_match == "Exact" || options.version_match.is_empty() && options.limit > 0;
    Ok(exact.then_some(version))
}

/// Why there is no list; `rest` is the token with which the list goes on as it is now.
fn unavailable(why: Unavailable, version: u64, rest: Option<String>) -> Failure {
    match (why, rest) {
        (Unavailable::Future(now), _) => future(version, now),
        (Unavailable::Compacted(_), None) => Failure::expired("The resourceVersion for the provided list is too old."),
        (Unavailable::Compacted(_), rest) => {
            let mut failure = Failure::expired(
                "The provided continue parameter is too old to display a consistent list result. You can start a new list \
                 without the continue parameter, or use the continue token in this response to retrieve the remainder of the \
                 results. Continuing with the provided token results in an inconsistent list - objects that were created, \
                 modified, or deleted between the time the first chunk was returned and now may show up in the list.",
            );
            failure.continue_ = rest;
            failure
        }
    }
}

/// 504: the version is not there yet.
pub(crate) fn future(version: u64, now: u64) -> Failure {
    let message = format!("Too large resource version: {version}, current: {now}");
    let mut failure = Failure::new(504, "Timeout", format!("Timeout: {message}")).about(Target::default());
    failure = failure.because("ResourceVersionTooLarge", "Too large resource version", "");
    failure.retry_after = Some(1);
    failure
}
