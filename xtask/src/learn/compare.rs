//! What was put, beside what came back.

use std::collections::BTreeMap;

use operatorkit_apiserver::schema::{Schema, Type};
use serde_json::{Map, Value};

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// What was given for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Given {
    /// Nothing, or `null`.
    Nothing,
    /// `""`, `0`, `false`, `[]`, an empty map.
    Empty,
}

/// What came back, and how often. `None`: nothing.
pub(super) type Answers = BTreeMap<String, (Option<Value>, u32)>;

/// What came back for each field of each type.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) fields: BTreeMap<(String, String), BTreeMap<Given, Answers>>,
}

impl Findings {
    /// Takes note of one answer.
    pub(super) fn compare(&mut self, schema: Schema<'_>, sent: &Value, answer: &Value) {
        match schema.type_ {
            Type::Object => {
                let empty = Map::new();
                let sent = sent.as_object().unwrap_or(&empty);
                if let Some(answer) = answer.as_object() {
                    self.object(schema, sent, answer);
                }
            }
            Type::Array => {
                let empty = Vec::new();
                let sent = sent.as_array().unwrap_or(&empty);
                let answer = answer.as_array().unwrap_or(&empty);
                // Items that the server added are part of its list's default.
                if let Some(items) = schema.items() {
                    sent.iter()
                        .zip(answer)
                        .for_each(|(sent, answer)| self.compare(items, sent, answer));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, schema: Schema<'_>, sent: &Map<String, Value>, answer: &Map<String, Value>) {
        if let Some(values) = schema.additional() {
            for (key, answer) in answer {
                self.compare(values, sent.get(key).unwrap_or(&Value::Null), answer);
            }
            return;
        }
        let Some(type_name) = schema.name.as_deref().filter(|name| *name != META) else {
            return;
        };
        for name in schema.properties.keys() {
            let Some(field) = schema.property(name) else { continue };
            let given = sent.get(&**name).unwrap_or(&Value::Null);
            let back = answer.get(&**name);
            if let Some(class) = class(field, given) {
                // What is in an object that came of itself is learned by its own type.
                let shown = back.map(|value| {
                    if is_struct(field) {
                        emptied(value)
                    } else {
                        value.clone()
                    }
                });
                let key = shown.as_ref().map(ToString::to_string).unwrap_or_default();
                let fields = self.fields.entry((type_name.to_owned(), name.to_string())).or_default();
                fields.entry(class).or_default().entry(key).or_insert((shown, 0)).1 += 1;
            }
            if let Some(back) = back {
                self.compare(field, given, back);
            }
        }
    }
}

fn is_struct(schema: Schema<'_>) -> bool {
    schema.type_ == Type::Object && schema.additional.is_none()
}

fn emptied(value: &Value) -> Value {
    if value.is_object() {
        Map::new().into()
    } else {
        value.clone()
    }
}

fn class(schema: Schema<'_>, given: &Value) -> Option<Given> {
    let empty = match given {
        Value::Null => return Some(Given::Nothing),
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        // An empty struct is something; what becomes of it is learned from its fields.
        Value::Object(map) => map.is_empty() && !is_struct(schema),
    };
    empty.then_some(Given::Empty)
}
