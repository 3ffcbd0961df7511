//! What one of several forms asks of a value beyond what their place does.

use serde_json::{Map, Value, json};

use super::{Node, Wrong, kinds::Kinds, node::RULES};

/// Conditions that a value of the place meets if, and only if, it has the form.
pub(super) fn beyond(form: &Node, place: &Node) -> Result<Map<String, Value>, Wrong> {
    if form.notes.contains_key(RULES) && form.notes.get(RULES) != place.notes.get(RULES) {
        return Err(Wrong::new(
            "has a `validation(..)` on one of several forms of a value, which a CRD cannot say: put it on the field that holds them all",
        ));
    }
    let differs = |(key, check): &(&String, &Value)| place.checks.get(*key) != Some(check);
    let checks = form.checks.iter().filter(differs);
    let mut beyond: Map<_, _> = checks.map(|(key, check)| (key.clone(), check.clone())).collect();
    let mut add = |key: &str, more: Map<String, Value>| {
        if !more.is_empty() {
            beyond.insert(key.to_owned(), more.into());
        }
    };
    add("properties", fields(form, place)?);
    if let Some(items) = &form.items {
        let any = Node::any();
        let of_place = place.items.as_deref().unwrap_or(&any);
        add(
            "items",
            self::beyond(items, of_place).map_err(|wrong| wrong.below("[]"))?,
        );
    }
    values(form, place)?;
    let mut more = no_others(form, place)?;
    // Words say their types themselves.
    if !form.checks.contains_key("enum") {
        more.extend((place.kinds - form.kinds - Kinds::NULL).refused());
    }
    if !more.is_empty() {
        let all = beyond.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
        all.as_array_mut().into_iter().for_each(|all| all.append(&mut more));
    }
    Ok(beyond)
}

/// How many optional fields a form that refuses unknown ones has at most, where the API server does not drop them.
const OPTIONAL: usize = 4;

/// Conditions that an object with a field of another name does not meet: `additionalProperties: false` cannot stand beside `properties`, but
/// an object that has so many fields, and has to have just as many, has no other.
fn no_others(form: &Node, place: &Node) -> Result<Vec<Value>, Wrong> {
    if !(form.closed && place.keeps()) {
        return Ok(Vec::new());
    }
    let required = form.checks.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    let optional: Vec<&str> = form
        .fields
        .keys()
        .map(String::as_str)
        .filter(|name| !required.contains(name))
        .collect();
    if optional.len() > OPTIONAL {
        return Err(Wrong::new(format!(
            "has a form that refuses unknown fields and has more than {OPTIONAL} optional ones, which a CRD cannot say: do without `deny_unknown_fields`"
        )));
    }
    let sets = (0..1_usize << optional.len()).map(|set| {
        let is_in = |(index, name): (usize, &&'_ str)| (set >> index & 1 == 1).then(|| (*name).to_owned());
        let present = optional.iter().enumerate().filter_map(is_in);
        let names: Vec<_> = required.iter().map(|name| (*name).to_owned()).chain(present).collect();
        let mut exactly = json!({ "maxProperties": names.len() });
        if !names.is_empty() {
            exactly["required"] = names.into();
        }
        exactly
    });
    let sets: Vec<_> = sets.collect();
    Ok(match <[Value; 1]>::try_from(sets) {
        Ok([_]) => vec![json!({ "maxProperties": required.len() })],
        Err(sets) => vec![json!({ "anyOf": sets })],
    })
}

fn fields(form: &Node, place: &Node) -> Result<Map<String, Value>, Wrong> {
    let mut fields = Map::new();
    let any = Node::any();
    for (name, field) in &form.fields {
        let of_place = place.fields.get(name).unwrap_or(&any);
        let more = beyond(field, of_place).map_err(|wrong| wrong.below(&format!(".{name}")))?;
        if !more.is_empty() {
            fields.insert(name.clone(), more.into());
        }
    }
    Ok(fields)
}

/// Rule: what is in a map must be what the place says, since `anyOf` has no word for it.
fn values(form: &Node, place: &Node) -> Result<(), Wrong> {
    let Some(values) = &form.values else { return Ok(()) };
    let any = Node::any();
    let of_place = place.values.as_deref().unwrap_or(&any);
    if beyond(values, of_place).map_err(|wrong| wrong.below("{}"))?.is_empty() {
        return Ok(());
    }
    Err(Wrong::new(
        "is a map in one of several forms of a value, which a CRD cannot tell apart: keep it as it is, with \
         `#[schemars(with = \"operatorkit::serde_json::Value\")]` on the field",
    ))
}
