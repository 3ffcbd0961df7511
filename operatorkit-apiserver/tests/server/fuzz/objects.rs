//! Objects of any kind: as its schema has them, with values that fit, nearly fit, or do not.

use operatorkit_apiserver::schema::{Schema, Type};
use serde_json::{Map, Value, json};

use super::choices::Choices;

/// Deeper than this only what must be there is there.
const DEEP: usize = 7;

/// A value for this place.
pub(super) fn value(choices: &mut Choices<'_>, schema: Schema<'_>, depth: usize) -> Value {
    if choices.one_in(60) {
        return odd(choices);
    }
    let rules = schema.rules.as_deref();
    if let Some(values) = rules
        .map(|rules| &rules.enumeration)
        .filter(|values| !values.is_empty())
    {
        return choices.pick(values).clone();
    }
    match schema.node().type_ {
        Type::Object => object(choices, schema, depth),
        Type::Array => {
            let items = if depth > DEEP { 0 } else { 1 + choices.below(2) };
            let item = |choices: &mut Choices<'_>| schema.items().map(|items| value(choices, items, depth + 1));
            (0..items).filter_map(|_| item(choices)).collect()
        }
        Type::String => choices.text().into(),
        Type::Integer => integer(choices).into(),
        Type::Number => json!(choices.pick(&[0.0, 1.0, 0.5, -1.0, 1e300])),
        Type::Boolean => choices.one_in(2).into(),
        Type::IntOrString => {
            if choices.one_in(2) {
                choices.text().into()
            } else {
                integer(choices).into()
            }
        }
        Type::Any => odd(choices),
    }
}

fn object(choices: &mut Choices<'_>, schema: Schema<'_>, depth: usize) -> Value {
    let mut object = Map::new();
    if let Some(values) = schema.additional() {
        for _ in 0..choices.below(3) {
            object.insert(choices.text(), value(choices, values, depth + 1));
        }
    }
    let node = schema.node();
    // A few of many fields, so that no object takes all choices.
    let rarity = 2 + node.properties.len() / 4;
    for (name, id) in &node.properties {
        let required = node.required.contains(name) || &**name == "spec";
        if (required || depth <= DEEP && choices.one_in(rarity)) && !choices.one_in(60) {
            object.insert(name.to_string(), value(choices, schema.at(*id), depth + 1));
        }
    }
    object.into()
}

fn integer(choices: &mut Choices<'_>) -> i64 {
    *choices.pick(&[
        1,
        0,
        2,
        80,
        -1,
        30_000,
        65_535,
        65_536,
        2_147_483_647,
        2_147_483_648,
        -2_147_483_648,
        i64::MAX,
        i64::MIN,
    ])
}

/// A value that fits nowhere in particular.
pub(super) fn odd(choices: &mut Choices<'_>) -> Value {
    match choices.below(12) {
        0 => Value::Null,
        1 => choices.text().into(),
        2 => integer(choices).into(),
        3 => json!([]),
        4 => json!({}),
        5 => json!([null]),
        6 => json!([{}, choices.text(), 1]),
        7 => json!({ choices.text(): null }),
        8 => json!({ choices.text(): odd(choices) }),
        9 => json!([odd(choices), odd(choices)]),
        10 => json!(1.5e300),
        _ => json!({ "apiVersion": choices.text(), "kind": choices.text(), "metadata": odd(choices) }),
    }
}
