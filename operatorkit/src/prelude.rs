//! What most files of an operator need: `use operatorkit::prelude::*;`.

pub use crate::{
    App, Children, Cx, DeleteCx, Desired, Env, ErrorExt as _, External, Flow, Manifest, Observed, PassValue, Readiness,
    Result, Step, Token, ValueCx, Wait, data, operator, resource,
};
#[cfg(feature = "yaml")]
pub use crate::{Yaml, yaml};
// For `app.name_any()` and the like, without taking the name.
pub use crate::kube::ResourceExt as _;
