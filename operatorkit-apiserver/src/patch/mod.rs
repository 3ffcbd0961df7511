//! JSON patch, merge patch and strategic merge patch, as the real server applies them
//! (`k8s.io/apiserver/pkg/endpoints/handlers/patch.go`).
//!
//! | module | what |
//! |---|---|
//! | `json` | RFC 6902 with the ways of `gopkg.in/evanphx/json-patch.v4` |
//! | `merge` | RFC 7386 |
//! | `strategic` | `k8s.io/apimachinery/pkg/util/strategicpatch` |
//! | [`apply`] | a patch of any kind, and the object that comes out, decoded and checked |

mod apply;
mod document;
pub mod json;
pub mod merge;
mod operation;
pub mod strategic;

pub use apply::{Patch, PatchKind};
pub use json::json;
pub use merge::merge;
pub use strategic::strategic;

use crate::{
    decode::json::Json,
    failure::{Failure, Target},
};

/// 422 of a patch that cannot be applied. The real server says no more than this.
fn inapplicable() -> Failure {
    Failure::new(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request",
    )
    .about(Target::default())
}

/// 400 of a patch that is no JSON.
fn malformed() -> Failure {
    Failure::bad_request("invalid JSON patch")
}

/// A patched document as a value.
fn to_value(document: &Json<'_>) -> Result<serde_json::Value, Failure> {
    document.to_value().map_err(|_| inapplicable())
}

#[cfg(test)]
mod tests;
