//! Admission policies and their bindings.

use serde_json::{Value, json};

use crate::read::{some_text, text};
use crate::table::selector;

/// `apiVersion/kind` of the parameters.
pub(super) fn param_kind(policy: &Value) -> Value {
    let Some(kind) = policy.pointer("/spec/paramKind").filter(|kind| !kind.is_null()) else {
        return json!("<unset>");
    };
    json!(format!("{}/{}", text(kind, "/apiVersion"), text(kind, "/kind")))
}

/// `namespace/name` of the parameters, or the selector that finds them.
pub(super) fn param_ref(binding: &Value) -> Value {
    let parameters = binding.pointer("/spec/paramRef").unwrap_or(&Value::Null);
    let namespace = some_text(parameters, "/namespace").unwrap_or("*");
    let selector = parameters.get("selector").filter(|selector| !selector.is_null());
    json!(match (some_text(parameters, "/name"), selector) {
        (Some(name), _) => format!("{namespace}/{name}"),
        (None, Some(selector)) => selector::message(selector),
        (None, None) => "<unset>".to_owned(),
    })
}
