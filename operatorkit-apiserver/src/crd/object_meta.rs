//! `metadata`, read as the real server reads it into its Go type `ObjectMeta`.

use serde_json::{Map, Value};

mod nodes;

pub(super) use nodes::add;

/// The Go type of a field.
enum Kind {
    Text,
    Whole,
    Flag,
    Time,
    Uid,
    Texts,
    TextMap,
    Raw,
    List(&'static str, &'static [(&'static str, Kind)]),
}

use Kind::{Flag, List, Raw, Text, TextMap, Texts, Time, Uid, Whole};

const FIELDS: &[(&str, Kind)] = &[
    ("annotations", TextMap),
    ("creationTimestamp", Time),
    ("deletionGracePeriodSeconds", Whole),
    ("deletionTimestamp", Time),
    ("finalizers", Texts),
    ("generateName", Text),
    ("generation", Whole),
    ("labels", TextMap),
    ("managedFields", List("ManagedFieldsEntry", MANAGED_FIELDS)),
    ("name", Text),
    ("namespace", Text),
    ("ownerReferences", List("OwnerReference", OWNER)),
    ("resourceVersion", Text),
    ("selfLink", Text),
    ("uid", Uid),
];

const OWNER: &[(&str, Kind)] = &[
    ("apiVersion", Text),
    ("blockOwnerDeletion", Flag),
    ("controller", Flag),
    ("kind", Text),
    ("name", Text),
    ("uid", Uid),
];

const MANAGED_FIELDS: &[(&str, Kind)] = &[
    ("apiVersion", Text),
    ("fieldsType", Text),
    ("fieldsV1", Raw),
    ("manager", Text),
    ("operation", Text),
    ("subresource", Text),
    ("time", Time),
];

/// Reads a `metadata`: empty fields go, unknown fields go and are returned, sorted, relative to it.
///
/// # Errors
///
/// A field has the wrong type; in the words of Go's JSON decoder.
pub(super) fn decode(metadata: &mut Value) -> Result<Vec<String>, String> {
    let mut unknown = Vec::new();
    match metadata {
        Value::Null => *metadata = Value::Object(Map::new()),
        Value::Object(fields) => decode_fields(fields, "ObjectMeta", FIELDS, "", "", &mut unknown)?,
        other => {
            return Err(format!(
                "json: cannot unmarshal {} into Go value of type v1.ObjectMeta",
                name_of(other)
            ));
        }
    }
    unknown.sort();
    Ok(unknown)
}

/// `path` names the fields above without list indices, `place` with them.
fn decode_fields(
    fields: &mut Map<String, Value>,
    type_: &str,
    known: &[(&str, Kind)],
    path: &str,
    place: &str,
    unknown: &mut Vec<String>,
) -> Result<(), String> {
    let names: Vec<String> = fields.keys().cloned().collect();
    for name in names {
        let Some((_, kind)) = known.iter().find(|(it, _)| *it == name) else {
            fields.remove(&name);
            unknown.push(format!("{place}{name}"));
            continue;
        };
        let value = &mut fields[&name];
        let at = format!("{path}{name}");
        decode_field(value, kind, type_, &at, &format!("{place}{name}"), unknown)?;
        let required = type_ == "OwnerReference" && matches!(kind, Text | Uid);
        if !required && is_empty(value) {
            fields.remove(&name);
        }
    }
    Ok(())
}

fn decode_field(
    value: &mut Value,
    kind: &Kind,
    type_: &str,
    path: &str,
    place: &str,
    unknown: &mut Vec<String>,
) -> Result<(), String> {
    let wrong = |value: &Value, expected: &str| {
        let is = name_of(value);
        Err(format!(
            "json: cannot unmarshal {is} into Go struct field {type_}.{path} of type {expected}"
        ))
    };
    match (kind, value) {
        (Raw, _) | (_, Value::Null) | (Text | Uid, Value::String(_)) | (Flag, Value::Bool(_)) => Ok(()),
        (Whole, Value::Number(number)) if number.is_i64() => Ok(()),
        (Whole, Value::Number(number)) => Err(format!(
            "json: cannot unmarshal number {number} into Go struct field {type_}.{path} of type int64"
        )),
        (Time, Value::String(text)) => time(text),
        (Time, value) => Err(format!(
            "json: cannot unmarshal {} into Go value of type string",
            name_of(value)
        )),
        (Texts, Value::Array(items)) => items
            .iter_mut()
            .try_for_each(|item| text_of(item).or_else(|it| wrong(&it, "string"))),
        (TextMap, Value::Object(fields)) => fields
            .values_mut()
            .try_for_each(|item| text_of(item).or_else(|it| wrong(&it, "string"))),
        (List(item_type, known), Value::Array(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                let place = format!("{place}[{index}].");
                match item {
                    Value::Object(fields) => {
                        decode_fields(fields, item_type, known, &format!("{path}."), &place, unknown)?;
                    }
                    Value::Null => *item = Value::Object(Map::new()),
                    other => return wrong(other, &format!("v1.{item_type}")),
                }
            }
            Ok(())
        }
        (Text, value) => wrong(value, "string"),
        (Uid, value) => wrong(value, "types.UID"),
        (Flag, value) => wrong(value, "bool"),
        (Whole, value) => wrong(value, "int64"),
        (Texts, value) => wrong(value, "[]string"),
        (TextMap, value) => wrong(value, "map[string]string"),
        (List(item_type, _), value) => wrong(value, &format!("[]v1.{item_type}")),
    }
}

/// A string, where `null` is an empty one.
fn text_of(value: &mut Value) -> Result<(), Value> {
    match value {
        Value::String(_) => Ok(()),
        Value::Null => {
            *value = "".into();
            Ok(())
        }
        other => Err(other.clone()),
    }
}

fn time(text: &str) -> Result<(), String> {
    if text.parse::<jiff::Timestamp>().is_ok() {
        return Ok(());
    }
    Err(format!(
        "parsing time {text:?} as \"2006-01-02T15:04:05Z07:00\": cannot parse {text:?} as \"2006\""
    ))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::Bool(_) => false,
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
