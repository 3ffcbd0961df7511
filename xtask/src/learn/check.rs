//! What the crate makes of objects, beside what the server makes of them.

use std::collections::BTreeMap;

use operatorkit_apiserver::builtin::{self, BuiltInResource};
use serde_json::{Map, Value};

/// What the server does that is no default, by the end of the path.
const OTHERS: [&str; 12] = [
    // Written by the storage.
    ".metadata.resourceVersion",
    // The current time.
    ".timeAdded",
    // Written, never read: it becomes `data`.
    ".stringData",
    "Secret.data",
    // One of the two follows from the other when a claim is created.
    ".dataSource",
    ".dataSourceRef",
    // Kept from older versions of the kind: the strategy counts the one, and the other stands for fields of `v2`.
    "apps/v1 DaemonSet.metadata.annotations",
    "autoscaling/v1 HorizontalPodAutoscaler.metadata.annotations",
    // Dropped from services that have it and are only names.
    "Service.spec.internalTrafficPolicy",
    // Allocated.
    ".clusterIPs",
    ".ipFamilies",
    ".ipFamilyPolicy",
];

/// Where both differ, with an example and how often.
#[derive(Default)]
pub(super) struct Differences(BTreeMap<String, (String, u32)>);

impl Differences {
    /// Takes note of one answer.
    pub(super) fn compare(&mut self, resource: &BuiltInResource, sent: &Value, answer: &Value) {
        let mut ours = sent.clone();
        builtin::apply_defaults(resource.schema.get(), &mut ours);
        let path = format!("{} {}", resource.api_version(), resource.kind);
        self.values(&path, &without_empty(&ours), &without_empty(answer), sent);
    }

    fn values(&mut self, path: &str, ours: &Value, theirs: &Value, sent: &Value) {
        if ours == theirs || OTHERS.iter().any(|other| path.ends_with(other)) {
            return;
        }
        match (ours, theirs) {
            (Value::Object(ours), Value::Object(theirs)) => {
                for key in ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(*key))) {
                    let [ours, theirs] = [ours, theirs].map(|it| it.get(key).unwrap_or(&Value::Null));
                    self.values(&format!("{path}.{key}"), ours, theirs, sent);
                }
            }
            (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
                for (ours, theirs) in ours.iter().zip(theirs) {
                    self.values(&format!("{path}[]"), ours, theirs, sent);
                }
            }
            (Value::Null, Value::Object(_)) => self.values(path, &Value::Object(Map::new()), theirs, sent),
            _ => {
                let example = format!("{ours}, and the server has {theirs}, of {sent}");
                self.0.entry(path.to_owned()).or_insert((example, 0)).1 += 1;
            }
        }
    }

    /// Prints them, and answers how many there are.
    pub(super) fn report(&self) -> usize {
        for (path, (example, count)) in &self.0 {
            println!("{path}: {count} times, as in {example}");
        }
        self.0.len()
    }
}

/// Without what Go does not write: which empty values it writes is not a matter of defaults.
fn without_empty(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), without_empty(value)));
            fields
                .filter(|(_, value)| !is_empty(value))
                .collect::<Map<_, _>>()
                .into()
        }
        // Items keep their places.
        Value::Array(items) => items.iter().map(without_empty).collect(),
        other => other.clone(),
    }
}

/// Whether a value is the empty one of its type.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}
