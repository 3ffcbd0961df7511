//! The lists that go to kube's derive: `printcolumn(..)` and `scale(..)`.

use std::collections::BTreeSet;

use syn::Lit;

use super::{keys, keys::Keys, values};
use crate::{
    diagnostics::Diagnostics,
    syntax::{Entry, Value, entries},
};

const COLUMN: &Keys = &Keys::new(
    &["name", "type_", "json_path", "description", "format", "priority"],
    &[],
);
const SCALE: &Keys = &Keys::new(
    &["spec_replicas_path", "status_replicas_path", "label_selector_path"],
    &[],
);
/// What a column can be (Kubernetes, `CustomResourceColumnDefinition`).
const COLUMN_TYPES: [&str; 5] = ["string", "integer", "number", "boolean", "date"];

/// Rule: a scale says where the replicas are.
pub(super) fn scale(entry: &Entry, errors: &Diagnostics) -> bool {
    fields(entry, SCALE, &["spec_replicas_path", "status_replicas_path"], errors).is_some()
}

/// Rule: a column has a type that Kubernetes knows, and a path that begins with a dot.
pub(super) fn column(entry: &Entry, errors: &Diagnostics) -> bool {
    if matches!(entry.value, Value::Is(_)) {
        return values::string(entry, "..", errors).is_some();
    }
    let Some(inner) = fields(entry, COLUMN, &["name", "type_", "json_path"], errors) else {
        return false;
    };
    let text = |key, example| keys::find(&inner, key).and_then(|entry| values::string(entry, example, errors));
    let (type_, path) = (text("type_", "string"), text("json_path", ".spec.image"));
    if let Some(type_) = type_.filter(|type_| !COLUMN_TYPES.contains(&type_.value().as_str())) {
        errors.error(
            &type_,
            format!(
                "`printcolumn(..)`: a column's type is one of `{}`",
                COLUMN_TYPES.join("`, `")
            ),
        );
    }
    if let Some(path) = path.filter(|path| !path.value().starts_with(['.', '['])) {
        errors.error(
            &path,
            "`printcolumn(..)`: a path begins with a dot, such as \".spec.image\"",
        );
    }
    true
}

/// Rule: a list of `key = value` with known keys, the required ones among them. `None`: kube could not read it.
fn fields(entry: &Entry, keys: &Keys, required: &[&str], errors: &Diagnostics) -> Option<Vec<Entry>> {
    let name = entry.name();
    let Value::List(list) = &entry.value else {
        let example: Vec<_> = required.iter().map(|key| format!("{key} = \"..\"")).collect();
        errors.error(
            entry.value_or_key(),
            format!("`{name}` needs a list: `{name}({})`", example.join(", ")),
        );
        return None;
    };
    let (inner, odd) = entries(list.clone());
    let mut good = odd.is_empty();
    odd.into_iter().for_each(|error| errors.add(error));
    keys::check(&inner, keys, &format!("`{name}(..)`: "), errors);
    for entry in &inner {
        let literal = match &entry.value {
            Value::Is(value) => syn::parse2::<Lit>(value.clone()).is_ok(),
            Value::Flag | Value::List(_) => false,
        };
        if !literal {
            errors.error(
                entry.value_or_key(),
                format!(
                    "`{name}(..)`: `{}` needs a value: `{} = \"..\"`",
                    entry.name(),
                    entry.name()
                ),
            );
        }
        good &= literal && keys.once.contains(&entry.name().as_str());
    }
    let missing: Vec<_> = required
        .iter()
        .filter(|key| keys::find(&inner, key).is_none())
        .map(|key| format!("`{key} = \"..\"`"))
        .collect();
    // Not where a key is misspelt: that may be the one.
    let misspelt = inner.iter().any(|entry| !keys.once.contains(&entry.name().as_str()));
    if !missing.is_empty() && !misspelt {
        errors.error(&entry.key, format!("`{name}(..)` needs {}", missing.join(" and ")));
    }
    good &= missing.is_empty();
    let names: BTreeSet<_> = inner.iter().map(Entry::name).collect();
    (good && names.len() == inner.len()).then_some(inner)
}
