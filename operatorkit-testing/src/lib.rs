//! A real Kubernetes control plane for tests: etcd, kube-apiserver and the workload controllers, on loopback ports.
//!
//! Start at [`ControlPlane`]: [`ControlPlane::shared`] serves all tests of one test binary, a [namespace](ControlPlane::namespace)
//! each, and is gone when the process ends, however it ends.
//!
//! ```no_run
//! # use std::time::Duration;
//! # use k8s_openapi::api::core::v1::Pod;
//! # use operatorkit_testing::{ControlPlane, eventually};
//! # async fn test() -> anyhow::Result<()> {
//! // Without Go and without KUBEBUILDER_ASSETS this says in one line what is skipped and why.
//! let Some(cluster) = ControlPlane::shared() else { return Ok(()) };
//! let namespace = cluster.namespace("pods").await;
//! let pods = kube::Api::<Pod>::namespaced(cluster.client("driver"), &namespace);
//! let mark = cluster.audit().mark().await;
//! // … create something …
//! let pod = eventually(&pods, "x", "has an address", Duration::from_secs(10), |pod| {
//!     pod.status.as_ref().is_some_and(|status| status.pod_ip.is_some())
//! }).await;
//! let requests = cluster.audit().since(mark).await.in_namespace(&namespace).by_user("operator");
//! assert_eq!(requests.by_verb().get("create"), None, "{requests}");
//! # Ok(())
//! # }
//! ```
//!
//! | module | what |
//! |---|---|
//! | `build` | where the programs come from: `KUBEBUILDER_ASSETS`, or built once with Go |
//! | `control_plane` | the servers, started and stopped |
//! | [`audit`] | the requests that the API server saw |
//! | [`kubelet`] | the stand-in that makes Pods Running and Ready |
//! | `process`, `supervisor` | programs under test, which can be killed and cannot outlive the test |
//! | [`recorder`] | the requests that one client sent |
//! | [`wait_for`] and its kin | waiting for a condition |

pub mod audit;
mod build;
mod console;
mod control_plane;
mod driver;
pub mod kubelet;
mod namespace;
mod process;
pub mod recorder;
mod supervisor;
mod users;
mod wait;

pub use control_plane::{ControlPlane, Options};
pub use process::{Process, example_binary};
pub use wait::{PATIENCE, eventually, eventually_gone, wait_for};

#[cfg(test)]
mod tests;
