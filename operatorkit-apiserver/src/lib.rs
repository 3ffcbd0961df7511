//! A Kubernetes API server in a library: in memory, started in milliseconds, and taken for a real one by kubectl, kube-rs,
//! client-go and every other client.
//!
//! It behaves as kube-apiserver 1.37 does: one conformance suite runs against both, and what differs stands in
//! [the list of differences](#differences). It is for trying an operator without a cluster, for testing it in milliseconds, and for
//! letting go wrong what goes wrong in production.
//!
//! # In process
//!
//! The server is a [`tower::Service`]: a `kube::Client` is made of it without a socket.
//!
//! ```
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube::{Api, Client, api::PostParams};
//! use operatorkit_apiserver::ApiServer;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = ApiServer::start();
//! let client = Client::new(server.service(), "default");
//!
//! let maps: Api<ConfigMap> = Api::default_namespaced(client);
//! let map = serde_json::from_value(serde_json::json!({ "metadata": { "name": "a" }, "data": { "k": "v" } }))?;
//! let created = maps.create(&PostParams::default(), &map).await?;
//! assert!(created.metadata.uid.is_some());
//! # Ok(())
//! # }
//! ```
//!
//! # On a port
//!
//! [`serve::Server`] serves the same on a loopback port, with TLS, tokens and a kubeconfig; the program `operatorkit-apiserver` (feature `cli`) does
//! nothing else.
//!
//! ```
//! # #[cfg(feature = "server")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use operatorkit_apiserver::{ApiServer, access::User, serve::Server};
//!
//! let server = ApiServer::builder().workloads(true).start();
//! let serving = Server::new(server.open_service()).start().await?;
//! let kubeconfig = serving.kubeconfig(&User::admin());
//! assert!(kubeconfig.contains(&serving.url()));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "server"))]
//! # fn main() {}
//! ```
//!
//! # What goes wrong
//!
//! [`fault`] says what happens to which requests, and how often; [`tap`] shows what was asked and answered, in order.
//!
//! ```
//! use operatorkit_apiserver::{ApiServer, fault::{Effect, Fault, Matching}};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let server = ApiServer::builder().tap(1_000).start();
//! // The second patch of a Deployment is done, but its answer is lost.
//! let patches = Matching::verbs(["patch"]).resource("deployments.apps");
//! let lost = server.faults().add(Fault::new(patches, Effect::DoneButDropped).after(1).once());
//! // … run an operator on `server.service()` …
//! assert_eq!(server.faults().met(lost), 0);
//! assert!(server.tap().all().iter().all(|record| !record.is_write()));
//! # }
//! ```
//!
//! # Time
//!
//! The server has the time of tokio's clock since it started, and begins at [`Builder::start_time`]. Where tokio's time is paused, so is the server's:
//! watches time out, tokens expire and Pods become available when the test says so. With [`Builder::seed`] UIDs and generated names are the same
//! in every run.
//!
//! # What is where
//!
//! | module | what |
//! |---|---|
//! | [`server`](ApiServer) | the server, and how it is made |
//! | [`access`] | who asks, and whether they may: users, tokens, RBAC |
//! | [`fault`], [`tap`] | what goes wrong; what was asked and answered |
//! | [`serve`] | a port, TLS, kubeconfigs, the program, state between runs |
//! | `http`, `request`, `negotiate`, `decode`, `protobuf` | from bytes to a request, and from an answer to bytes |
//! | `verbs`, `subresource` | create, get, list, update, patch, delete, watch; `/status`, `/scale`, … |
//! | `registry`, `builtin`, [`crd`], [`schema`] | what is served: kinds as data, and CRDs at run time |
//! | `store` | objects, versions, history |
//! | [`apply`], [`patch`], [`selector`], [`table`] | server-side apply, patches, selectors, printed columns: pure |
//! | [`kinds`], [`validation`] | what each built-in kind adds: pure |
//! | [`control`] | the garbage collector, the ends of namespaces and CRDs, and workloads with a stand-in kubelet |
//!
#![doc = include_str!("differences.md")]
// The tables of modules are for those who read the code.
#![allow(rustdoc::private_intra_doc_links)]

pub mod access;
pub mod apply;
pub mod builtin;
pub mod clock;
pub mod control;
mod conversion;
mod core;
pub mod crd;
pub mod decode;
pub mod failure;
pub mod fault;
pub mod http;
pub mod identity;
pub mod kinds;
pub mod negotiate;
pub mod object;
mod open_api;
pub mod patch;
pub mod protobuf;
mod read;
pub mod registry;
pub mod request;
pub mod schema;
mod seed;
pub mod selector;
pub mod serve;
mod server;
pub mod store;
mod subresource;
mod suffix;
pub mod table;
pub mod tap;
pub mod validation;
mod verbs;

pub use http::{ApiService, Body, Dropped};
pub use server::{ApiServer, Builder, ObjectChange};
