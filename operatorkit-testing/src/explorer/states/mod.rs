//! What an object was before does not count: for random specs A and B, A then B ends as B alone, and A, B, A as A.
//!
//! [`specs`] draws specs from the schema of a CRD. [`States`] runs an operator, on an embedded server and with a paused clock, once through A,
//! B and A again, and once with B alone, and compares what is there when all is quiet: children, status, and what is outside. It finds
//! what an operator leaves behind when a spec changes: a child that is no longer wanted, a key of the old spec, a value that is only ever
//! added to.
//!
//! ```no_run
//! # use k8s_openapi::{api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition};
//! # fn app() -> operatorkit_runtime::app::App { operatorkit_runtime::app::App::new("x") }
//! use operatorkit_testing::{
//!     explorer::{Scenario, Subject},
//!     states::{States, specs},
//! };
//!
//! # fn states(object: ConfigMap, crd: CustomResourceDefinition) {
//! // `object` and `crd` are `WebApp::new("x", spec)` and `WebApp::crd()`, say; its spec does not count.
//! let drawn = specs(&crd)
//!     .fix("/spec/replicas", 0) // Pods cost time
//!     .draw("/spec/image", "[a-z]{1,8}(:[0-9]{1,2})?");
//! let webapp = Scenario::new("webapp", || Subject::app(app)).crd(crd);
//! States::new(webapp, &object).cases(32).run(drawn).assert_none();
//! # }
//! ```
//!
//! A pair of which the API server refuses a spec, by a rule in CEL say, does not count. A spec whose *children* are refused makes an
//! operator that never comes to rest, which is reported: narrow what is drawn to what the children bear.
//!
//! What is drawn is plausible, not extreme: numbers as near to zero as can be, short words, few items. For more, [`draw`](Specs::draw) a field by
//! a strategy of [proptest](https://docs.rs/proptest), which is re-exported here. Any other strategy for JSON does as well as
//! [`specs`], for a kind that exists, say: see [`States::field`].

mod draw;
mod merge;
mod number;
mod report;
mod runner;
mod specs;
mod text;
mod values;

#[cfg(test)]
mod tests;

/// The strategies that specs are drawn with.
pub use proptest;

pub use self::{
    report::{Difference, Findings},
    runner::States,
    specs::{Specs, specs},
    values::Drawn,
};
