//! A document read into a Go type: what `sigs.k8s.io/json` refuses, what it drops, and what is written back.

mod context;
pub(crate) mod convert;
mod scalar;

use std::collections::HashSet;

use serde_json::{Map, Value};

use self::context::{Fatal, GoType, Where};
use super::{
    go_types::{GoField, Presence, go_struct},
    json::Json,
    strict::{Place, StrictErrors},
};
use crate::schema::{Schema, Type};

/// Reads a document as a value of this schema. Unknown fields are dropped, and empty ones as the Go type drops them.
///
/// # Errors
///
/// Go's message: `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`.
pub(super) fn read(
    document: &Json<'_>,
    schema: Schema<'_>,
    place: &Place<'_>,
    strict: Option<&mut StrictErrors>,
) -> Result<Value, String> {
    let mut reader = Reader { strict, saved: None };
    let value = reader.value(document, schema, GoType::of(schema), &Where::default(), place);
    match (value, reader.saved) {
        (Err(Fatal(error)), _) | (Ok(_), Some(error)) => Err(error),
        (Ok(value), None) => Ok(value),
    }
}

/// What a schema is to Go's reader.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// Anything: `RawExtension`, `JSON`.
    Opaque,
    Struct,
    Map,
    List,
    Scalar,
}

fn class(schema: Schema<'_>) -> Class {
    match schema.type_ {
        Type::Array => Class::List,
        Type::Object if !schema.properties.is_empty() => Class::Struct,
        Type::Object if schema.additional.is_some() => Class::Map,
        Type::Object if schema.name.is_some() && !context::is_opaque(schema) => Class::Struct,
        Type::Object => Class::Opaque,
        Type::Any if !context::is_quantity(schema) => Class::Opaque,
        _ => Class::Scalar,
    }
}

struct Reader<'r> {
    strict: Option<&'r mut StrictErrors>,
    saved: Option<String>,
}

impl Reader<'_> {
    /// A value of the wrong type. The first one is told; the reader goes on.
    fn mismatch(&mut self, what: &str, type_: GoType<'_>, at: &Where<'_>) {
        if self.saved.is_none() {
            self.saved = Some(at.mismatch(what, &type_.to_string()));
        }
    }

    fn value(
        &mut self,
        json: &Json<'_>,
        schema: Schema<'_>,
        type_: GoType<'_>,
        at: &Where<'_>,
        place: &Place<'_>,
    ) -> Result<Value, Fatal> {
        match (class(schema), json) {
            (Class::Opaque, json) => Ok(json.to_value().unwrap_or_default()),
            (Class::Scalar, json) => self.scalar(json, schema, type_, at),
            (Class::Struct, Json::Object(fields)) => self.fields(fields, schema, at, place),
            (Class::Struct, Json::Null) => Ok(empty(schema)),
            (Class::Map, Json::Object(fields)) => self.map(fields, schema, type_, at, place),
            (Class::List, Json::Array(items)) => self.list(items, schema, type_, at, place),
            (_, Json::Null) => Ok(Value::Null),
            (_, other) => {
                self.mismatch(other.kind(), type_, at);
                Ok(Value::Null)
            }
        }
    }

    fn list(
        &mut self,
        items: &[Json<'_>],
        schema: Schema<'_>,
        type_: GoType<'_>,
        at: &Where<'_>,
        place: &Place<'_>,
    ) -> Result<Value, Fatal> {
        let Some(item_schema) = schema.items() else {
            return Ok(Value::Null);
        };
        let type_ = type_.item(item_schema);
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            list.push(self.value(item, item_schema, type_, at, &Place::Item(place, index))?);
        }
        Ok(Value::Array(list))
    }

    fn map(
        &mut self,
        fields: &[(std::borrow::Cow<'_, str>, Json<'_>)],
        schema: Schema<'_>,
        type_: GoType<'_>,
        at: &Where<'_>,
        place: &Place<'_>,
    ) -> Result<Value, Fatal> {
        let Some(value_schema) = schema.additional() else {
            return Ok(Value::Null);
        };
        let type_ = type_.item(value_schema);
        let mut map = Map::new();
        for (key, json) in fields {
            let place = Place::Field(place, key);
            let value = self.value(json, value_schema, type_, at, &place)?;
            if map.insert(key.to_string(), value).is_some() {
                self.duplicate(&place);
            }
        }
        Ok(Value::Object(map))
    }

    fn fields(
        &mut self,
        fields: &[(std::borrow::Cow<'_, str>, Json<'_>)],
        schema: Schema<'_>,
        at: &Where<'_>,
        place: &Place<'_>,
    ) -> Result<Value, Fatal> {
        let name = schema.name.as_deref().unwrap_or_default();
        let go = go_struct(name);
        let mut seen = HashSet::new();
        let mut map = Map::new();
        for (key, json) in fields {
            let place = Place::Field(place, key);
            let Some(field) = schema.property(key) else {
                if let Some(strict) = &mut self.strict {
                    strict.unknown(&place);
                }
                continue;
            };
            if !seen.insert(key.as_ref()) {
                self.duplicate(&place);
            }
            let kept = GoField {
                presence: Presence::Kept,
                ..GoField::default()
            };
            let go = go.map_or(kept, |go| go.get(key.as_ref()).copied().unwrap_or_default());
            let type_ = go.type_.map_or(GoType::of(field), GoType::Named);
            let embedded = go.embedded.map(|embedded| at.embedded(embedded));
            let at = embedded.as_ref().unwrap_or(at).field(name, key);
            if *json == Json::Null {
                // A pointer, a map and a list become empty, and everything else stays as it is.
                if !matches!(class(field), Class::Scalar | Class::Struct) || go.presence == Presence::Kept {
                    map.remove(key.as_ref());
                }
                continue;
            }
            let value = self.value(json, field, type_, &at, &place)?;
            map.insert(key.to_string(), value);
        }
        write_back(&mut map, schema);
        Ok(Value::Object(map))
    }

    fn duplicate(&mut self, place: &Place<'_>) {
        if let Some(strict) = &mut self.strict {
            strict.duplicate(place);
        }
    }
}

/// An empty struct, as it is written.
fn empty(schema: Schema<'_>) -> Value {
    let mut map = Map::new();
    write_back(&mut map, schema);
    Value::Object(map)
}

/// Drops the empty fields that the Go type does not write, and adds those that it always writes.
fn write_back(map: &mut Map<String, Value>, schema: Schema<'_>) {
    let Some(go) = schema.name.as_deref().and_then(go_struct) else {
        return;
    };
    let presence = |key: &str| go.get(key).map_or(Presence::Omitted, |go| go.presence);
    map.retain(|key, value| match presence(key) {
        // An empty list of managed fields asks to forget them.
        Presence::Omitted => !is_empty(value) || key == "managedFields" && is_empty_list(value),
        Presence::Kept => !value.is_null(),
        _ => true,
    });
    for (key, field) in go {
        let value = match field.presence {
            Presence::Omitted | Presence::Kept => continue,
            Presence::Null if map.get(*key).is_some_and(is_empty_list) => Value::Null,
            _ if map.get(*key).is_some_and(|value| !value.is_null()) => continue,
            Presence::Struct => schema.property(key).map_or(Value::Null, empty),
            Presence::Null => Value::Null,
            Presence::Text => "".into(),
            Presence::Number => 0.into(),
            Presence::False => false.into(),
            Presence::Quantity => "0".into(),
        };
        map.insert((*key).to_owned(), value);
    }
}

fn is_empty_list(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}
