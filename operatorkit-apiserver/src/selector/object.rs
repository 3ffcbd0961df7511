//! Label selectors as objects (`metav1.LabelSelectorAsSelector`).

use serde_json::Value;

use super::requirement::{Operator, Requirement};

/// The conditions of a `LabelSelector`.
pub(super) fn requirements(selector: &Value) -> Result<Vec<Requirement>, String> {
    let mut requirements = Vec::new();
    for (key, value) in selector["matchLabels"].as_object().into_iter().flatten() {
        let value = value.as_str().unwrap_or_default().to_owned();
        requirements.push(Requirement::new(key, Operator::Equals, &[value])?);
    }
    for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
        let operator = match expression["operator"].as_str().unwrap_or_default() {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::DoesNotExist,
            other => return Err(format!("{other:?} is not a valid label selector operator")),
        };
        let values = expression["values"].as_array().into_iter().flatten();
        let values: Vec<String> = values.filter_map(Value::as_str).map(str::to_owned).collect();
        let key = expression["key"].as_str().unwrap_or_default();
        requirements.push(Requirement::new(key, operator, &values)?);
    }
    Ok(requirements)
}
