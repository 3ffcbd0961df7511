//! Watch: which events a client sees, and when.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    call::Call,
    list::{self, Listed},
    selection::Selection,
};
use crate::{
    failure::Failure,
    request::ListOptions,
    store::{Change, ChangeKind, Stored, Watch},
};

/// How often a client that wants bookmarks gets one.
const BOOKMARKS: Duration = Duration::from_mins(1);

/// How long a watch lasts that does not say it; the real server draws up to twice that.
const LASTS: Duration = Duration::from_mins(30);

/// No watch lasts longer; there is no time that far away.
const FOREVER: Duration = Duration::from_hours(24 * 365 * 100);

/// One event, before its form is chosen.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Added(Arc<Stored>),
    Modified(Arc<Stored>),
    Deleted(Arc<Stored>),
    /// The version up to which all is said, and whether it ends the initial objects.
    Bookmark {
        version: u64,
        initial_end: bool,
    },
    Error(Failure),
}

/// A watch that a client has asked for.
#[derive(Debug)]
pub(crate) struct Watching {
    watch: Watch,
    /// The version after which a fault lets nothing through.
    frozen_at: Option<u64>,
    selection: Selection,
    namespace: Option<String>,
    pending: VecDeque<Event>,
    ends: Instant,
    bookmarks: bool,
    next_bookmark: Instant,
    ended: bool,
}

/// Begins a watch.
pub(crate) fn watch(call: &Call, options: &ListOptions) -> Result<Watching, Failure> {
    let selection = list::selection(call, options)?;
    let (after, pending) = begin(call, options)?;
    let now = Instant::now();
    let lasts = match options.timeout_seconds {
        Some(seconds) if seconds > 0 => Duration::from_secs(seconds).min(FOREVER),
        _ => LASTS + Duration::from_secs(call.core.identities.below(LASTS.as_secs())),
    };
    Ok(Watching {
        watch: call.core.store.watch(&call.served.table, after),
        frozen_at: call.frozen_at,
        selection,
        namespace: if call.served.namespaced {
            call.place.namespace.clone()
        } else {
            None
        },
        pending,
        ends: now + lasts,
        bookmarks: options.bookmarks,
        next_bookmark: now + BOOKMARKS,
        ended: false,
    })
}

/// The version after which changes are sent, and what is sent first.
fn begin(call: &Call, options: &ListOptions) -> Result<(u64, VecDeque<Event>), Failure> {
    let now = call.newest();
    let version = options.resource_version.unwrap_or(0);
    if options.send_initial_events != Some(true) {
        // A version that is not there yet is waited for.
        let after = if version == 0 { now } else { version };
        return Ok((after, VecDeque::new()));
    }
    if version > now {
        return Err(list::future(version, now));
    }
    let everything = ListOptions {
        label_selector: options.label_selector.clone(),
        field_selector: options.field_selector.clone(),
        ..ListOptions::default()
    };
    let Listed { version, objects, .. } = list::list(call, &everything)?;
    let mut pending: VecDeque<_> = objects.into_iter().map(Event::Added).collect();
    if options.bookmarks {
        pending.push_back(Event::Bookmark {
            version,
            initial_end: true,
        });
    }
    Ok((version, pending))
}

impl Watching {
    /// The next events; none when the watch is over.
    pub(crate) async fn next(&mut self) -> Vec<Event> {
        loop {
            if !self.pending.is_empty() {
                return self.pending.drain(..).collect();
            }
            if self.ended {
                return Vec::new();
            }
            self.wait().await;
        }
    }

    async fn wait(&mut self) {
        let bookmark = async {
            if self.bookmarks {
                tokio::time::sleep_until(self.next_bookmark).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            changes = self.watch.next() => match changes {
                Ok(changes) => self.take(&changes),
                Err(compacted) => {
                    let message = format!("too old resource version: {} ({})", compacted.after, compacted.compacted);
                    self.pending.push_back(Event::Error(Failure::expired(message)));
                    self.ended = true;
                }
            },
            () = tokio::time::sleep_until(self.ends) => self.ended = true,
            () = bookmark => {
                let version = self.watch.after().min(self.frozen_at.unwrap_or(u64::MAX));
                self.pending.push_back(Event::Bookmark { version, initial_end: false });
                self.next_bookmark += BOOKMARKS;
            }
        }
    }

    fn take(&mut self, changes: &[Arc<Change>]) {
        let seen = changes
            .iter()
            .filter(|change| self.frozen_at.is_none_or(|frozen| change.version() <= frozen));
        let events = seen.filter_map(|change| self.event(change));
        let events: Vec<_> = events.collect();
        self.pending.extend(events);
    }

    /// What a change is for a client that sees only what it has selected.
    fn event(&self, change: &Change) -> Option<Event> {
        let here = |object: &Stored| {
            self.namespace
                .as_deref()
                .is_none_or(|namespace| *object.key().namespace == *namespace)
        };
        let seen = |object: &Arc<Stored>| here(object) && self.selection.matches(object);
        let before = change.previous.as_ref().filter(|object| seen(object));
        let after = Some(&change.object).filter(|object| change.kind != ChangeKind::Deleted && seen(object));
        match (before, after) {
            (None, None) => None,
            (None, Some(object)) => Some(Event::Added(object.clone())),
            (Some(_), Some(object)) => Some(Event::Modified(object.clone())),
            (Some(_), None) if change.kind == ChangeKind::Deleted => Some(Event::Deleted(change.object.clone())),
            // The object is as the client knows it, at the version at which it left the selection.
            (Some(before), None) => Some(Event::Deleted(Arc::new(before.moved_to(change.version())))),
        }
    }
}

impl Event {
    /// The object that it is about.
    pub(crate) fn object(&self) -> Option<&Arc<Stored>> {
        match self {
            Self::Added(object) | Self::Modified(object) | Self::Deleted(object) => Some(object),
            Self::Bookmark { .. } | Self::Error(_) => None,
        }
    }
}
