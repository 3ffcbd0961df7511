//! What others take `operatorkit-apiserver` for: kube-rs, kubectl and controller-runtime as its clients.
//!
//! | module | what |
//! |---|---|
//! | [`go`] | a manager of controller-runtime, built with Go |
//! | [`kube_rs`] | kube-rs: its controller, watcher, recorder and discovery, in process and over TLS |
//! | [`kubectl`] | kubectl: a table of commands, compared with what it says against the real server |

mod go;
mod kube_rs;
mod kubectl;

use operatorkit as _;
