//! Metrics: what operators measure, where it is read, and how a program adds its own.
//!
//! `run` serves them on `--metrics-address` under `/metrics`: in [OpenMetrics] to who accepts it, as Prometheus does, else in the older text
//! format of Prometheus. A [`Scraper`] reads the same in the process.
//!
//! # What there is
//! All families are there from the start, and so are their series whose labels the code says, at zero. Series about an object end with the object.
//! Times are in seconds, dates in seconds since 1970.
//!
//! | metric | labels | what |
//! |---|---|---|
//! | `operatorkit_controller_errors_total` | `controller` | passes that ended with an error |
//! | `operatorkit_controller_event` (histogram) | `controller`, `event`: `update`, `delete`; `result`: `success`, `error` | how long passes took |
//! | `operatorkit_controller_last_reconciled` | `controller` | when a pass last ended without an error; 0 before the first |
//! | `operatorkit_controller_creation_timestamp` | `kind`, `name`, `namespace`, `controller` | when each object was made |
//! | `operatorkit_controller_deletion_timestamp` | the same | when its deletion began; only of objects that are being deleted |
//! | `operatorkit_controller_operation_total` | `controller`, `resource`, `operation`, `result` | operations of resources that ended |
//! | `operatorkit_controller_operation` (histogram) | the same | how long they took |
//! | `operatorkit_controller_reconcile_total` | `controller`, `result`: `success`, `waiting`, `error`, `cancelled`, `paused` | passes that ended |
//! | `operatorkit_controller_reconcile_panics_total` | `controller` | panics in passes, those of resources included |
//! | `operatorkit_controller_active_workers` | `controller` | passes that run now |
//! | `operatorkit_controller_max_concurrent_reconciles` | `controller` | how many may run at once; 0 before the operator runs |
//! | `operatorkit_controller_workqueue_depth` | `controller` | objects whose pass is due and has not begun |
//! | `operatorkit_controller_workqueue_queue_duration_seconds` (histogram) | `controller` | how long they were due |
//! | `operatorkit_controller_workqueue_longest_running_processor_seconds` | `controller` | for how long the oldest of the running passes has run |
//! | `operatorkit_controller_event_latency_seconds` (histogram) | `controller` | from when a watch showed a change, of the object or a child, to the end of the pass that handled it |
//! | `operatorkit_controller_heartbeat_timestamp_seconds` | `controller` | when the operator's loop last made its round: every ten seconds |
//! | `operatorkit_controller_watched_objects` | `controller`, `kind` | objects of the operator's kind |
//! | `operatorkit_controller_paused_objects` | `controller`, `kind` | those of them that are paused |
//! | `operatorkit_controller_children` | `controller`, `resource`, `group`, `kind` | children |
//! | `operatorkit_controller_rest_client_requests_total` | `controller`, `verb`, `code` | requests to the API server; the code is `<error>` where there was no answer, as in client-go |
//! | `operatorkit_controller_watch_connected` | `controller`, `group`, `kind`, `namespace` (empty: all) | whether the watch is open |
//! | `operatorkit_controller_watch_last_event_timestamp_seconds` | the same | when it last brought something |
//! | `operatorkit_controller_watch_age_seconds` | the same | how long ago it last heard from the API server |
//! | `operatorkit_leader_election_master_status` | `name` (the app's) | whether this process leads; 1 without an election |
//! | `operatorkit_metrics_collector_failures_total` | | scrapes that a collector of the program spoiled |
//!
//! `operation` is the name of the [`Verb`](crate::layer::Verb): `desired`, `apply`, `wanted`, `find`, `observe`, `create`, `update`, `delete`, `ensure_created`,
//! `ensure_deleted`. Operations are measured by the layer [`Metrics`](crate::layer::Metrics). Requests are those of an operator, and, under the `controller`
//! `<leader-election>`, those of the election, if there is one; what a resource asks with `cx.client()` is its own.
//!
//! `operatorkit_controller_operation_total` says in OpenMetrics that its type is unknown, since a counter and a histogram cannot share a name there. It
//! is a counter all the same: `rate` works.
//!
//! # Coming from Go operatorkit
//! The names are the same where the meaning is: `errors_total` is a counter now, and grows; `event` has `controller` and `result`, and counts
//! failed passes, too; `operation` has `controller` and `result`, and the names of operations are [ours](crate::layer). The timestamps come from the
//! operator's own store, not from a LIST at each scrape. The alert "not reconciled" joins `watched_objects`, since without an object nothing is reconciled.
//!
//! # Own metrics
//! `App::metrics` registers them for the process, [`Env::metrics`](crate::app::Env::metrics), in the set-up, for one operator, with its name in the label
//! `controller`. What is registered is of the crate [`prometheus_client`], which is re-exported; a
//! [`Collector`](prometheus_client::collector::Collector) is asked at each scrape.
//!
//! ```
//! use operatorkit_runtime::{app::Env, metrics::prometheus_client::metrics::counter::Counter};
//!
//! /// A client of the cloud that counts its calls.
//! struct Cloud {
//!     calls: Counter,
//! }
//!
//! impl Cloud {
//!     fn new(env: &Env) -> Self {
//!         let calls = Counter::default();
//!         // As `cloud_calls_total{controller=".."}`.
//!         env.metrics(|registry| registry.register("cloud_calls", "Calls to the cloud", calls.clone()));
//!         Self { calls }
//!     }
//! }
//! ```
//!
//! An error or a panic of a collector takes only what was registered in the same call with it; it is counted, and logged once. A family that two
//! operators register is one family.
//!
//! [OpenMetrics]: https://prometheus.io/docs/specs/om/open_metrics_spec/

mod all;
mod collector;
mod family;
mod health;
mod meter;
mod operations;
mod requests;
mod scraper;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod watch;

pub use prometheus_client;
pub use scraper::Scraper;

pub(crate) use all::{Format, Metrics};
pub(crate) use meter::{Came, Meter, Outcome};
pub(crate) use requests::Requests;
pub(crate) use source::{ChildrenOf, ObjectSeen, QueueSeen, Source};
pub(crate) use watch::WatchMeter;
