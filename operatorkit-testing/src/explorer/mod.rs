//! The crash explorer: runs the life of some objects again and again, and each time something else goes wrong.
//!
//! A [`Scenario`] is an operator and what a user of the cluster does: create, change, delete. An [`Explorer`] runs it once undisturbed, to learn
//! what the operator does, and then once for each thing that can go wrong:
//!
//! - the operator is killed before each of its writes, after it, or does not learn of the answer; while it is down its objects are deleted,
//!   and what it sees first when it is back is older;
//! - requests and operations fail: 409, 429, 500, 504, webhooks that say no, connections that break or stay silent, for once or for a
//!   minute;
//! - watches end, break, expire, fall silent, are late, or show several changes as one; lists are older than what was seen before;
//! - somebody else acts just before a write: deletes, edits, replaces or copies a child, puts a finalizer on it, pauses the object, deletes
//!   it with a foreground cascade, or so that it goes in spite of its finalizer, replaces the operator by its next version;
//! - what is desired can no longer be worked out when the object goes;
//! - and, where it is asked for, [two](Explorer::pairs) of these.
//!
//! Each run has a server, a paused clock and an operator of its own, takes some ten milliseconds, and is repeated by a seed. It must end as the
//! undisturbed one, and at every moment of it these rules hold:
//!
//! | rule | |
//! |---|---|
//! | what is foreign is left alone | the operator changes its objects, and what it has made or carries a mark that was put on it |
//! | nothing exists before it can be found again | a child is made when the finalizer and the inventory with its kind are stored; a kind stays in it while there are children |
//! | an intent is stored before the first create | a thing outside has a slot |
//! | the delete order holds | by the order that is stored on the object, not that of the code; what a pass has pruned that began before the deletion does not count |
//! | the finalizer goes last | no child and no thing is left then |
//! | nothing is made twice | no two things with one tag, no child more often than in the undisturbed run |
//! | nothing is pruned after a failure | while a write for an object fails, none of its other children is deleted |
//! | what is paused is left alone | children and things, up to what had begun before |
//! | what is kept is not deleted | what is to be left behind, as it is stored on the child or in the slot |
//! | nothing is left behind | of an object that is gone |
//! | all is quiet after convergence | no write for longer than a resync takes |
//!
//! The first three and the order go by what operatorkit stores, the others hold for any program.
//!
//! ```no_run
//! # use k8s_openapi::api::core::v1::ConfigMap;
//! # fn app() -> operatorkit_runtime::app::App { operatorkit_runtime::app::App::new("x") }
//! use operatorkit_testing::explorer::{Explorer, Scenario, Subject};
//! use serde_json::json;
//!
//! # fn life(object: ConfigMap, crd: k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition) {
//! // `app()` makes the `App` that `main` runs; `object` and `crd` are `WebApp::new("x", spec)` and `WebApp::crd()`, say.
//! let life = Scenario::new("webapp", || Subject::app(app))
//!     .crd(crd)
//!     .create(&object)
//!     .change::<ConfigMap>("x", json!({ "spec": { "replicas": 3 } }))
//!     .delete::<ConfigMap>("x");
//! Explorer::new(life).run().assert_clean();
//! # }
//! ```
//!
//! With something outside of Kubernetes the subject is made with a stand-in for its provider, which is told to the explorer:
//!
//! ```
//! # use std::sync::Arc;
//! use operatorkit_testing::explorer::{Cloud, Subject};
//!
//! # fn app(_cloud: Arc<Cloud>) -> operatorkit_runtime::app::App { operatorkit_runtime::app::App::new("x") }
//! # let _ =
//! || {
//!     let cloud = Arc::new(Cloud::default());
//!     let provider = cloud.clone();
//!     Subject::app(move || app(provider.clone())).outside(cloud)
//! };
//! ```

mod ending;
mod explore;
mod judge;
mod outside;
mod plan;
mod plans;
mod report;
mod run;
mod scenario;
pub mod states;
mod subject;

pub use self::{
    explore::Explorer,
    judge::Violation,
    outside::{Cloud, Outside, Thing},
    plan::{Act, Blindness, Disturbance, Event, Place, Plan, Point, Refusal, Sort},
    report::{Failure, Report, Totals},
    run::Crossings,
    scenario::{Kind, Scenario},
    subject::Subject,
};
