//! The workload controllers and a stand-in kubelet, as pure steps: objects go in, what is to be done comes out.
//!
//! Each function looks at one object and those around it, and says what the controller of the real controller manager
//! would do now. Whoever calls it carries the actions out by the server's own verbs, and calls it again when one of the
//! objects has changed or the time of [`Plan::again`] has come. A plan without actions says that all is as it should be.
//! An action that fails because an object has changed, is gone or is there already needs no answer: the next look
//! sees it.
//!
//! | module | what |
//! |---|---|
//! | [`action`] | what is to be done |
//! | [`deployment`] | Deployments over their `ReplicaSets` |
//! | [`replica_set`] | `ReplicaSets` over their Pods |
//! | [`stateful_set`] | `StatefulSets` over their Pods, claims and revisions |
//! | [`daemon_set`] | `DaemonSets` over nodes and Pods |
//! | [`job`] | Jobs over their Pods |
//! | [`kubelet`] | Pods: node, status, end |
//! | [`endpoints`] | Services over their Pods |

pub mod action;
mod claim;
mod condition;
mod container;
pub mod daemon_set;
pub mod deployment;
pub mod endpoints;
mod hash;
pub mod job;
pub mod kubelet;
mod labels;
mod node;
mod owner;
mod pod;
mod pod_status;
mod rank;
pub mod replica_set;
mod revision;
mod share;
pub mod stateful_set;
mod template;
mod time;

#[cfg(test)]
mod tests;

pub use action::{Action, Event, Plan, Reference, Verb};
pub use daemon_set::reconcile_daemon_set;
pub use deployment::reconcile_deployment;
pub use endpoints::{reconcile_endpoint_slices, reconcile_endpoints, reconcile_left_endpoints};
pub use job::reconcile_job;
pub use kubelet::reconcile_pod;
pub use replica_set::reconcile_replica_set;
pub use stateful_set::reconcile_stateful_set;
