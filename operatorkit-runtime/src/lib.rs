//! The runtime of operatorkit: graph, plan, executor, and all that talks to a Kubernetes API server.
//!
//! Users depend on the facade, `operatorkit`; all that its macros emit can be written by hand with this crate.
//!
//! Data flows one way: [`graph`] (what the user declared) → `plan` (what may run, pure) → `executor` (a pass) →
//! [`layer`] (around each operation) → `cluster` (the only module that talks to the API server).

pub mod app;
mod client;
mod cluster;
mod compare;
mod context;
mod controller;
mod error;
mod executor;
mod flow;
pub mod graph;
mod judgement;
pub mod layer;
mod leader;
pub mod metrics;
mod namespaces;
mod operator;
mod plan;
#[cfg_attr(
    not(feature = "dev"),
    allow(dead_code, reason = "the command `dev` looks on more closely than others do")
)]
mod progress;
mod queue;
mod readiness;
mod reads;
mod record;
mod release;
pub mod reporting;
mod resource;
pub mod schema;
pub mod status;
mod store;
mod watches;
#[cfg(feature = "yaml")]
mod yaml;

pub use client::ClientConfig;
pub use context::{Cx, DeleteCx, HasValue, ObjectEvents, PassValue, Prior, Trigger, Triggers, ValueCx};
pub use controller::{Direction, Outcome, SinglePasses};
pub use error::{Error, ErrorExt, Result};
pub use flow::{Flow, Wait};
pub use leader::LeaderElection;
pub use operator::{Object, Operator, Orphans, PausedDeletion, Resources, Selector, UserStatus, name_of};
pub use readiness::Readiness;
pub use record::{Decision, Token};
pub use resource::{Child, Children, Desired, External, Manifest, Observed, Step};
#[cfg(feature = "yaml")]
pub use yaml::{FromYaml, Yaml};
