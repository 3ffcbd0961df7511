//! The form that the real server checks: what all versions of a CRD share stands once, and messages name it there.

use serde_json::Value;

use crate::{
    crd::structure::array,
    failure::{FieldError, FieldPath},
};

/// The parts of a version that may stand once for all.
pub(super) const PARTS: [(&str, &str); 4] = [
    ("schema", "validation"),
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
    ("selectableFields", "selectableFields"),
];

/// A part of a version: `None` where there is none.
pub(super) fn part<'a>(version: &'a Value, name: &str) -> Option<&'a Value> {
    version
        .get(name)
        .filter(|it| !it.is_null() && !matches!(it, Value::Array(items) if items.is_empty()))
}

/// Whether all versions of a CRD have the same of a part.
pub(super) fn is_shared(spec: &Value, name: &str) -> bool {
    let mut versions = array(&spec["versions"]).iter().map(|it| part(it, name));
    versions.next().is_none_or(|first| versions.all(|it| it == first))
}

/// `Invalid value: <raw>: <detail>`, where the value is already text.
pub(super) fn invalid(field: &FieldPath, raw: &str, detail: &str) -> FieldError {
    FieldError {
        reason: "FieldValueInvalid",
        field: field.clone(),
        body: format!("Invalid value: {raw}: {detail}"),
    }
}
