//! Kubernetes API servers for tests: a real control plane, and one embedded in the test, behind one interface.
//!
//! Start at [`EmbeddedServer::shared`]: it needs nothing that is installed, and starts in milliseconds. [`ControlPlane::shared`] is the truth:
//! etcd, kube-apiserver and the workload controllers, on loopback ports. Either serves all tests of one test binary, a
//! [namespace](Cluster::namespace) each, and is gone when the process ends, however it ends. What a test gets of them is a [`Cluster`]: one that
//! takes a `&Cluster` runs on both.
//!
//! ```no_run
//! # use std::time::Duration;
//! # use k8s_openapi::api::core::v1::Pod;
//! # use operatorkit_testing::{Cluster, ControlPlane, EmbeddedServer, eventually};
//! async fn a_pod_gets_an_address(cluster: &Cluster) {
//!     let namespace = cluster.namespace("pods").await;
//!     let pods = kube::Api::<Pod>::namespaced(cluster.client("driver"), &namespace);
//!     let mark = cluster.audit().mark().await;
//!     // … create something …
//!     let pod = eventually(&pods, "x", "has an address", Duration::from_secs(10), |pod| {
//!         pod.status.as_ref().is_some_and(|status| status.pod_ip.is_some())
//!     }).await;
//!     let requests = cluster.audit().since(mark).await.in_namespace(&namespace).by_user("operator");
//!     assert_eq!(requests.by_verb().get("create"), None, "{requests}");
//! }
//!
//! # async fn tests() {
//! // #[tokio::test]
//! a_pod_gets_an_address(EmbeddedServer::shared()).await;
//! // Without Go and without KUBEBUILDER_ASSETS this says in one line what is skipped and why.
//! let Some(cluster) = ControlPlane::shared() else { return };
//! a_pod_gets_an_address(cluster).await;
//! # }
//! ```
//!
//! | module | what |
//! |---|---|
//! | `cluster` | what both servers offer: users, namespaces, clients, programs under test |
//! | `embedded` | the embedded server |
//! | `control_plane` | the real servers, started and stopped |
//! | `build` | where their programs come from: `KUBEBUILDER_ASSETS`, or built once with Go |
//! | [`audit`] | the requests that the API server saw |
//! | [`kubelet`] | the stand-in that makes Pods Running and Ready |
//! | `supervisor` | programs cannot outlive the test |
//! | [`explorer`] | the life of some objects, again and again, and each time something else goes wrong |
//! | [`states`] | an object through random specs: what it was before does not count |
//! | [`recorder`] | the requests that one client sent |
//! | [`assert_valid`] | objects as the API server would judge them |
//! | [`wait_for`] and its kin | waiting for a condition |

pub mod audit;
mod build;
mod cluster;
mod console;
mod control_plane;
mod embedded;
pub mod explorer;
pub mod kubelet;
pub mod recorder;
mod supervisor;
mod valid;
mod wait;

pub use cluster::{Cluster, Process, example_binary};
pub use control_plane::{ControlPlane, Options};
pub use embedded::EmbeddedServer;
pub use explorer::states;
/// The embedded server's own crate, for faults and builders.
pub use operatorkit_apiserver as apiserver;
pub use valid::{assert_valid, assert_valid_with};
pub use wait::{PATIENCE, eventually, eventually_gone, wait_for};

#[cfg(test)]
mod tests;
