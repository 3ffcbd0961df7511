//! kube-rs as a client, in process and over TLS with the kubeconfig that the server writes.
//!
//! | module | what |
//! |---|---|
//! | [`ways`] | a server, and a client of it by each way |
//! | [`controller`] | a `Controller` with children that it owns, through faults |
//! | [`watching`] | `watcher` with both strategies, and what it does when watches break |
//! | [`verbs`] | the verbs of `Api`, and subresources |
//! | [`around`] | discovery, events, leases |

mod around;
mod controller;
mod verbs;
mod watching;
mod ways;
