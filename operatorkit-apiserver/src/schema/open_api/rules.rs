//! What values must satisfy.

use serde_json::{Map, Value, json};

use crate::schema::{NodeId, Rule, Rules};

/// Adds the rules to a schema. `nested` writes a schema that is in a rule.
pub(super) fn add(rules: &Rules, out: &mut Map<String, Value>, mut nested: impl FnMut(NodeId) -> Value) {
    let bounds = [
        ("minimum", "exclusiveMinimum", rules.minimum),
        ("maximum", "exclusiveMaximum", rules.maximum),
    ];
    for (key, exclusive, bound) in bounds {
        let Some((value, is_exclusive)) = bound else { continue };
        out.insert(key.into(), number(value));
        if is_exclusive {
            out.insert(exclusive.into(), true.into());
        }
    }
    if let Some(multiple) = rules.multiple_of {
        out.insert("multipleOf".into(), number(multiple));
    }
    let sizes = [
        ("minLength", rules.min_length),
        ("maxLength", rules.max_length),
        ("minItems", rules.min_items),
        ("maxItems", rules.max_items),
        ("minProperties", rules.min_properties),
        ("maxProperties", rules.max_properties),
    ];
    for (key, size) in sizes {
        if let Some(size) = size {
            out.insert(key.into(), size.into());
        }
    }
    if let Some(pattern) = &rules.pattern {
        out.insert("pattern".into(), (**pattern).into());
    }
    if rules.unique_items {
        out.insert("uniqueItems".into(), true.into());
    }
    if !rules.enumeration.is_empty() {
        out.insert("enum".into(), json!(rules.enumeration));
    }
    for (key, schemas) in [
        ("allOf", &rules.all_of),
        ("anyOf", &rules.any_of),
        ("oneOf", &rules.one_of),
    ] {
        if !schemas.is_empty() {
            out.insert(key.into(), schemas.iter().map(|id| nested(*id)).collect());
        }
    }
    if let Some(not) = rules.not {
        out.insert("not".into(), nested(not));
    }
    if !rules.cel.is_empty() {
        out.insert("x-kubernetes-validations".into(), rules.cel.iter().map(rule).collect());
    }
}

/// Whole numbers are written as such.
fn number(value: f64) -> Value {
    // Between these bounds every whole number is exact.
    let whole = value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number in the range of i64")]
    if whole { json!(value as i64) } else { json!(value) }
}

fn rule(rule: &Rule) -> Value {
    let mut out = json!({ "rule": rule.rule });
    let texts = [
        ("message", &rule.message),
        ("messageExpression", &rule.message_expression),
        ("reason", &rule.reason),
        ("fieldPath", &rule.field_path),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            out[key] = (**text).into();
        }
    }
    if rule.optional_old_self {
        out["optionalOldSelf"] = true.into();
    }
    out
}
