//! A framework for Kubernetes operators whose resources have one order for creation and another for deletion.
//!
//! A user annotates structs; two attributes turn them into a CRD, a finalizer and a graph of resources, and the runtime carries
//! the graph out for each object, against any Kubernetes API server, and never loses one.
//!
//! **Start here:** `use operatorkit::prelude::*;`, then [`operator`] and [`resource`](macro@resource) for the attributes,
//! [`Manifest`], [`External`] and [`Step`] for what a resource does, [`Flow`] for what it answers, [`App`] for the binary. The [`book`] explains
//! the rest, with a chapter for each question.
//!
//! ```no_run
//! use operatorkit::k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::ObjectMeta};
//! use operatorkit::prelude::*;
//!
//! #[operator(group = "demo.example.com", version = "v1", kind = "Greeting", namespaced, resources(Text, Notice))]
//! pub struct GreetingSpec {
//!     pub message: String,
//! }
//!
//! /// A child: made first, deleted last.
//! #[resource(order = 1, delete_order = 2)]
//! pub struct Text;
//!
//! impl Manifest for Text {
//!     type Operator = Greeting;
//!     type Object = ConfigMap;
//!
//!     async fn desired(&self, greeting: &Greeting, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
//!         let metadata = ObjectMeta { name: Some(cx.child_name("text")), ..ObjectMeta::default() };
//!         let data = [("message".to_owned(), greeting.spec.message.clone())].into();
//!         Ok(ConfigMap { metadata, data: Some(data), ..ConfigMap::default() }.into())
//!     }
//! }
//!
//! /// Something else, after the child, whose output it reads.
//! #[resource(order = 2, delete_order = 1, after(Text))]
//! pub struct Notice;
//!
//! impl Step for Notice {
//!     type Operator = Greeting;
//!     type Output = ();
//!
//!     async fn ensure_created(&self, greeting: &Greeting, cx: &Cx<Self>) -> Result<Flow<()>> {
//!         let _texts = cx.after::<Text>().output()?;
//!         println!("{} says {}", greeting.name_any(), greeting.spec.message);
//!         Ok(Flow::Ready(()))
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     App::new("greeting-operator")
//!         .operator(|_env| async { Ok(GreetingResources { text: Text, notice: Notice }) })
//!         .main()
//! }
//! ```
//!
//! One feature says which Kubernetes version the binary is built for: `v1_33` … `v1_37`, or `latest`. They exclude each other, so
//! `--all-features` does not build.
//!
//! The feature `dev` gives every [`App`] the command `dev`: its operators on a Kubernetes API server in the process, with a live view of what
//! they do. It needs no cluster, and makes the binary larger.
//!
//! The feature `yaml` makes children of YAML files, see [`book::yaml`].
//!
//! The feature `sentry` reports errors to Sentry, see [`reporting`].

#[cfg(feature = "yaml")]
pub use operatorkit_macros::yaml;
pub use operatorkit_macros::{data, operator, resource};
/// What metrics of one's own are made with; see [`metrics`](metrics#own-metrics).
pub use operatorkit_runtime::metrics::prometheus_client;
pub use operatorkit_runtime::{
    Child, Children, ClientConfig, Cx, Decision, DeleteCx, Desired, Error, ErrorExt, External, Flow, HasValue,
    LeaderElection, Manifest, Object, ObjectEvents, Observed, Operator, Orphans, PassValue, Prior, Readiness,
    Resources, Result, Selector, Step, Token, Trigger, Triggers, UserStatus, ValueCx, Wait,
    app::{App, Env, RunSettings},
    graph, layer, metrics, name_of, reporting, schema, status,
    status::Status,
};
pub use operatorkit_runtime::{Direction, Outcome, PausedDeletion, SinglePasses};
#[cfg(feature = "yaml")]
pub use operatorkit_runtime::{FromYaml, Yaml};
pub use {anyhow, k8s_openapi, kube, schemars, serde, serde_json};

pub mod book;
pub mod prelude;

#[doc(hidden)]
pub mod __private;
