//! The rows of an `EACH`: what makes a request a variant of another.

use operatorkit::serde_json::Value;

use super::path;

/// Applies a row like `spec.replicas = 3; -metadata.labels` to a body. The new values are YAML.
pub(super) fn apply(body: &mut Value, row: &str) {
    for edit in row.split("; ") {
        if let Some(gone) = edit.strip_prefix('-') {
            path::set(body, &path::parse(gone), None);
        } else {
            let (at, new) = edit
                .split_once(" =")
                .unwrap_or_else(|| panic!("`{edit}` is neither `path = value` nor `-path`"));
            path::set(body, &path::parse(at), Some(yaml(new)));
        }
    }
}

/// Reads YAML as JSON.
///
/// # Panics
/// If it is none.
pub(super) fn yaml(text: &str) -> Value {
    // Kubernetes' `y` and `on` are words here.
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).unwrap_or_else(|err| panic!("not YAML: {err}\n{text}"))
}
