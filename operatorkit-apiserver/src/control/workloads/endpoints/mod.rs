//! Services over their Pods: `EndpointSlices` and Endpoints, as `k8s.io/endpointslice` and
//! `k8s.io/kubernetes/pkg/controller/endpoint` write them.
//!
//! | module | what |
//! |---|---|
//! | `slices` | `EndpointSlices` |
//! | `core` | Endpoints |
//! | `pods` | the Pods of a Service, and their ports |

mod core;
mod pods;
mod slices;

pub use self::core::{reconcile_endpoints, reconcile_left_endpoints};
pub use self::slices::reconcile_endpoint_slices;

/// When the controller has seen the change that it writes.
const TRIGGER: &str = "endpoints.kubernetes.io/last-change-trigger-time";
