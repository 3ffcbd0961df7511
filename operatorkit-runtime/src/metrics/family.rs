//! The families of metrics: their names, types and help, each once.

use std::fmt;

use prometheus_client::{
    encoding::{DescriptorEncoder, MetricEncoder},
    metrics::MetricType,
    registry::Unit,
};

/// A family of metrics.
pub(super) struct Family {
    /// Without `_total` and without the unit: the encoder adds them.
    name: &'static str,
    unit: Option<Unit>,
    type_: MetricType,
    help: &'static str,
}

const fn family(type_: MetricType, name: &'static str, help: &'static str) -> Family {
    Family {
        name,
        unit: None,
        type_,
        help,
    }
}

const fn seconds(type_: MetricType, name: &'static str, help: &'static str) -> Family {
    Family {
        name,
        unit: Some(Unit::Seconds),
        type_,
        help,
    }
}

use MetricType::{Counter, Gauge, Histogram, Unknown};

pub(super) const ERRORS: Family = family(
    Counter,
    "operatorkit_controller_errors",
    "Passes that ended with an error.",
);
pub(super) const EVENT: Family = family(
    Histogram,
    "operatorkit_controller_event",
    "How long passes took, in seconds.",
);
pub(super) const LAST_RECONCILED: Family = family(
    Gauge,
    "operatorkit_controller_last_reconciled",
    "When a pass last ended without an error, in seconds since 1970; 0 before the first.",
);
pub(super) const CREATION_TIMESTAMP: Family = family(
    Gauge,
    "operatorkit_controller_creation_timestamp",
    "When each watched object was made, in seconds since 1970.",
);
pub(super) const DELETION_TIMESTAMP: Family = family(
    Gauge,
    "operatorkit_controller_deletion_timestamp",
    "When the deletion of each watched object that is being deleted began, in seconds since 1970.",
);
/// Of no type in OpenMetrics: a counter and a histogram may not share a name there, as Go's operatorkit has it in the older format.
pub(super) const OPERATION_TOTAL: Family = family(
    Unknown,
    "operatorkit_controller_operation_total",
    "Operations of resources that ended; it only grows.",
);
pub(super) const OPERATION: Family = family(
    Histogram,
    "operatorkit_controller_operation",
    "How long operations of resources took, in seconds.",
);
pub(super) const RECONCILE: Family = family(
    Counter,
    "operatorkit_controller_reconcile",
    "Passes that ended, by what they came to.",
);
pub(super) const PANICS: Family = family(
    Counter,
    "operatorkit_controller_reconcile_panics",
    "Panics in passes, those of resources included.",
);
pub(super) const ACTIVE_WORKERS: Family =
    family(Gauge, "operatorkit_controller_active_workers", "Passes that run now.");
pub(super) const MAX_CONCURRENT: Family = family(
    Gauge,
    "operatorkit_controller_max_concurrent_reconciles",
    "How many passes may run at once.",
);
pub(super) const DEPTH: Family = family(
    Gauge,
    "operatorkit_controller_workqueue_depth",
    "Objects whose pass is due and has not begun.",
);
pub(super) const QUEUE_DURATION: Family = seconds(
    Histogram,
    "operatorkit_controller_workqueue_queue_duration",
    "How long objects were due before their pass began.",
);
pub(super) const LONGEST_RUNNING: Family = seconds(
    Gauge,
    "operatorkit_controller_workqueue_longest_running_processor",
    "For how long the oldest of the running passes has run.",
);
pub(super) const EVENT_LATENCY: Family = seconds(
    Histogram,
    "operatorkit_controller_event_latency",
    "From when a change of an object or a child was seen to the end of the pass that handled it.",
);
pub(super) const HEARTBEAT: Family = seconds(
    Gauge,
    "operatorkit_controller_heartbeat_timestamp",
    "When the operator's loop last made its round, at most ten seconds ago if it lives, since 1970; 0 before it runs.",
);
pub(super) const WATCHED_OBJECTS: Family = family(
    Gauge,
    "operatorkit_controller_watched_objects",
    "Objects of the operator's kind in its store.",
);
pub(super) const PAUSED_OBJECTS: Family = family(
    Gauge,
    "operatorkit_controller_paused_objects",
    "Objects of the operator's kind that are paused.",
);
pub(super) const CHILDREN: Family = family(
    Gauge,
    "operatorkit_controller_children",
    "Children in the store, by resource and kind.",
);
pub(super) const REQUESTS: Family = family(
    Counter,
    "operatorkit_controller_rest_client_requests",
    "Requests of the operator to the API server, by verb and HTTP code; <error> where there was no answer.",
);
pub(super) const WATCH_CONNECTED: Family = family(
    Gauge,
    "operatorkit_controller_watch_connected",
    "Whether the watch over a kind is open.",
);
pub(super) const WATCH_LAST_EVENT: Family = seconds(
    Gauge,
    "operatorkit_controller_watch_last_event_timestamp",
    "When the watch over a kind last brought something, bookmarks included, since 1970; 0 before the first.",
);
pub(super) const WATCH_AGE: Family = seconds(
    Gauge,
    "operatorkit_controller_watch_age",
    "How long ago the watch over a kind last heard from the API server: a list, an opening, an event or a bookmark.",
);
pub(super) const LEADING: Family = family(
    Gauge,
    "operatorkit_leader_election_master_status",
    "Whether this process leads; 1 without an election.",
);
pub(super) const COLLECTOR_FAILURES: Family = family(
    Counter,
    "operatorkit_metrics_collector_failures",
    "Scrapes that a collector registered by the program spoiled by an error or a panic: its metrics are missing.",
);

impl Family {
    /// Writes the family; `samples` its samples.
    pub(super) fn write(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        samples: impl FnOnce(&mut MetricEncoder<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let mut metric = encoder.encode_descriptor(self.name, self.help, self.unit.as_ref(), self.type_)?;
        samples(&mut metric)
    }
}
