//! A strategy for each place of a schema.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    arbitrary::any,
    collection::vec,
    option, prop_oneof,
    sample::select,
    strategy::{BoxedStrategy, Just, Strategy, Union},
};
use serde_json::{Map, Value};

use super::{merge, number::number, text::text};

/// So many items more than there must be.
const MORE: u64 = 3;

/// Draws values; what a user has narrowed as they say.
pub(super) struct Draw<'a> {
    pub(super) narrowed: &'a BTreeMap<String, Option<BoxedStrategy<Value>>>,
}

/// What is drawn for a field; `None`: it is left out.
type Field = BoxedStrategy<Option<(String, Value)>>;

impl Draw<'_> {
    /// The values of a schema. `at` is the pointer to it.
    pub(super) fn of(&self, schema: &Value, at: &str) -> BoxedStrategy<Value> {
        if let Some(Some(narrowed)) = self.narrowed.get(at) {
            return narrowed.clone();
        }
        let forms = merge::forms(schema);
        let drawn = Union::new(forms.iter().map(|form| self.form(form, at)));
        if schema["nullable"] == true {
            prop_oneof![1 => Just(Value::Null), 4 => drawn].boxed()
        } else {
            drawn.boxed()
        }
    }

    fn form(&self, schema: &Value, at: &str) -> BoxedStrategy<Value> {
        if let Some(values) = schema["enum"].as_array() {
            return select(values.clone()).boxed();
        }
        if schema["x-kubernetes-int-or-string"] == true {
            return prop_oneof![number(schema, true), text(schema, at)].boxed();
        }
        match schema["type"].as_str() {
            Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
            Some("integer") => number(schema, true),
            Some("number") => number(schema, false),
            Some("string") => text(schema, at),
            Some("array") => self.list(schema, at),
            Some("object") => self.object(schema, at),
            _ => anything(),
        }
    }

    fn list(&self, schema: &Value, at: &str) -> BoxedStrategy<Value> {
        let items = self.of(&schema["items"], &format!("{at}/*"));
        let (least, most) = sizes(schema, "minItems", "maxItems");
        let keys = schema["x-kubernetes-list-map-keys"].clone();
        let set = schema["x-kubernetes-list-type"] == "set";
        let unique = move |items: Vec<Value>| match keys.as_array() {
            Some(keys) => distinct(items, |item| keys.iter().map(|key| field(item, key)).collect()),
            None if set => distinct(items, ToString::to_string),
            None => items,
        };
        let lists = vec(items, least..=most).prop_map(unique);
        lists
            .prop_filter("too few distinct items", move |items| items.len() >= least)
            .prop_map(Value::from)
            .boxed()
    }

    fn object(&self, schema: &Value, at: &str) -> BoxedStrategy<Value> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let fields: Vec<Field> = properties
            .filter_map(|(key, below)| self.field(schema, key, below, at))
            .collect();
        let keys = "[a-z][a-z0-9]{0,5}";
        let values = match &schema["additionalProperties"] {
            below @ Value::Object(_) => Some(self.of(below, &format!("{at}/*"))),
            Value::Bool(true) => Some(anything()),
            _ if schema["x-kubernetes-preserve-unknown-fields"] == true => Some(anything()),
            _ => None,
        };
        let (least, most) = sizes(schema, "minProperties", "maxProperties");
        let more = match values {
            Some(values) => vec((keys, values), least..=most).boxed(),
            None => Just(Vec::new()).boxed(),
        };
        let objects = (fields, more).prop_map(|(fields, more)| {
            // A declared field is what it is declared as.
            let all: Map<String, Value> = more.into_iter().chain(fields.into_iter().flatten()).collect();
            all
        });
        let embedded = schema["x-kubernetes-embedded-resource"] == true;
        objects
            .prop_filter("too few distinct keys", move |all| all.len() >= least)
            .prop_map(move |all| Value::Object(if embedded { embed(all) } else { all }))
            .boxed()
    }

    fn field(&self, schema: &Value, key: &str, below: &Value, at: &str) -> Option<Field> {
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        let narrowed = self.narrowed.get(&at);
        if narrowed.is_some_and(Option::is_none) {
            return None;
        }
        let required = schema["required"]
            .as_array()
            .is_some_and(|all| all.iter().any(|it| it == key));
        let given = narrowed.is_some() || (required && below.get("default").is_none());
        let values = self.of(below, &at);
        let key = key.to_owned();
        let values = if given {
            values.prop_map(Some).boxed()
        } else {
            option::of(values).boxed()
        };
        Some(values.prop_map(move |value| Some((key.clone(), value?))).boxed())
    }
}

/// How many there may be: the least, and somewhat more.
fn sizes(schema: &Value, least: &str, most: &str) -> (usize, usize) {
    let least = schema[least].as_u64().unwrap_or_default();
    let most = schema[most]
        .as_u64()
        .unwrap_or(u64::MAX)
        .min(least.saturating_add(MORE));
    let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
    (size(least), size(most.max(least)))
}

fn distinct(items: Vec<Value>, key: impl Fn(&Value) -> String) -> Vec<Value> {
    let mut known = BTreeSet::new();
    items.into_iter().filter(|item| known.insert(key(item))).collect()
}

fn field(item: &Value, key: &Value) -> String {
    let value = key.as_str().map_or(&Value::Null, |key| &item[key]);
    format!("{value}\n")
}

/// What every embedded object must have.
fn embed(mut all: Map<String, Value>) -> Map<String, Value> {
    all.entry("apiVersion").or_insert_with(|| "v1".into());
    all.entry("kind").or_insert_with(|| "ConfigMap".into());
    all.entry("metadata")
        .or_insert_with(|| serde_json::json!({ "name": "x" }));
    all
}

/// Any JSON, a little of it.
fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        (0..5).prop_map(Value::from),
        "[a-z]{0,5}".prop_map(Value::from),
    ];
    let fields = vec(("[a-z]{1,3}", leaf.clone()), 0..3);
    let fields = fields.prop_map(|all| Value::Object(all.into_iter().collect()));
    prop_oneof![2 => leaf.clone(), 1 => vec(leaf, 0..3).prop_map(Value::from), 1 => fields].boxed()
}
