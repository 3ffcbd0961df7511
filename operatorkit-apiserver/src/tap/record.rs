//! One line of the tap.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use jiff::Timestamp;
use serde_json::Value;

use crate::request::RequestInfo;

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its place in the order of all records.
    pub number: u64,
    /// The request that it belongs to.
    pub request: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub entry: Entry,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A request has come, with its body.
    Request {
        /// What it asks for.
        info: Arc<RequestInfo>,
        /// What follows the `?`.
        query: String,
        /// The body as it was sent; empty without one.
        body: Bytes,
    },
    /// It was answered.
    Answer {
        /// What was asked for.
        info: Arc<RequestInfo>,
        /// The HTTP status.
        code: u16,
        /// The body; empty for a watch.
        body: Bytes,
    },
    /// It was not answered: the connection was dropped by a fault.
    Dropped {
        /// What was asked for.
        info: Arc<RequestInfo>,
    },
    /// A watch has sent an event.
    Event {
        /// What is watched.
        info: Arc<RequestInfo>,
        /// The event, one line of JSON.
        event: Bytes,
    },
}

impl Record {
    /// What the request asks for.
    pub fn info(&self) -> &RequestInfo {
        match &self.entry {
            Entry::Request { info, .. }
            | Entry::Answer { info, .. }
            | Entry::Dropped { info }
            | Entry::Event { info, .. } => info,
        }
    }

    /// The body or the event as JSON; `null` if it is none.
    pub fn json(&self) -> Value {
        let bytes = match &self.entry {
            Entry::Request { body, .. } | Entry::Answer { body, .. } => body,
            Entry::Event { event, .. } => event,
            Entry::Dropped { .. } => return Value::Null,
        };
        serde_json::from_slice(bytes).unwrap_or(Value::Null)
    }

    /// Whether it is a request that changes something.
    pub fn is_write(&self) -> bool {
        matches!(self.entry, Entry::Request { .. }) && self.info().is_write()
    }
}

/// `#12 patch apps/deployments a/b/status by operator -> 200`. Bodies are not shown: they may hold Secrets.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {}", self.request, self.info())?;
        match &self.entry {
            Entry::Request { .. } => Ok(()),
            Entry::Answer { code, .. } => write!(f, " -> {code}"),
            Entry::Dropped { .. } => write!(f, " -> dropped"),
            Entry::Event { .. } => write!(f, " -> {}", self.json()["type"].as_str().unwrap_or("event")),
        }
    }
}
