//! Values against a schema, with the messages of the real server (`k8s.io/kube-openapi/pkg/validation`).
//!
//! | module | what |
//! |---|---|
//! | [`correlation`] | which old value a new one comes from: what has not changed is not refused |
//! | [`formats`] | `format` of strings |
//! | [`list_type`] | duplicates in lists of type `set` and `map` |
//! | `logic` | `allOf`, `anyOf`, `oneOf`, `not` |
//! | `numbers` | ranges, bounds and factors |
//! | `outcome` | what is wrong, and how much was right |
//! | [`pattern`] | regular expressions as Go reads them |
//! | `scalars` | types, strings, enumerations, sizes |
//! | `walk` | a value and everything in it |

pub mod correlation;
pub mod formats;
pub mod list_type;
mod logic;
mod numbers;
mod outcome;
pub mod pattern;
mod scalars;
mod walk;

use serde_json::Value;

pub use self::correlation::Correlated;
use crate::{
    failure::{FieldError, FieldPath},
    schema::Schema,
};

/// Checks a value against the validations of its schema: types, bounds, patterns, formats, required fields, junctors.
///
/// With an old value, what is wrong but has not changed is let through (KEP 4008, validation ratcheting). `at` is the
/// place of the value: the root for a whole object, `status` for its status alone. Lists of type `set` and `map` are
/// checked by [`list_type::validate`], rules in CEL by the `cel` module.
pub fn validate(schema: Schema<'_>, new: &Value, old: Option<&Value>, at: &FieldPath) -> Vec<FieldError> {
    let old = old.map(|old| Correlated::new(schema, new, old));
    let outcome = walk::Walk::default().check(schema, new, old);
    outcome.errors.into_iter().map(|problem| problem.at(at)).collect()
}
