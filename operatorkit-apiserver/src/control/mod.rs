//! What a cluster does by itself: the garbage collector, the end of namespaces and CRDs, and, where asked for, workloads.
//!
//! A controller learns of changes from the store and writes through the server's own service, as its own user: the tap shows
//! its requests, and faults disturb it as they disturb others.
//!
//! | module | what |
//! |---|---|
//! | [`feed`] | the changes of all tables |
//! | [`client`] | requests of the controllers |
//! | [`garbage`] | owners and dependents |
//! | [`namespaces`] | what is in a namespace that is going |
//! | [`custom`] | the objects of a CRD that is going |
//! | [`teller`] | the Events of controllers |
//! | [`roles`] | ClusterRoles that are made of others |
//! | [`runner`] | carries out what the workload controllers want |
//! | [`workloads`] | Deployments and their kin, and a stand-in kubelet, as pure steps |

pub(crate) mod client;
pub(crate) mod custom;
pub(crate) mod feed;
pub(crate) mod garbage;
pub(crate) mod namespaces;
pub(crate) mod roles;
pub(crate) mod runner;
pub(crate) mod teller;
pub mod workloads;
