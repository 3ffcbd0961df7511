//! Fields that a schema does not know are removed (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning`).

use std::fmt::Write as _;

use serde_json::Value;

use crate::schema::Schema;

/// The fields that every object has. A schema need not know them.
pub(super) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Removes the unknown fields of a custom object, and returns their paths, sorted, as field validation names them.
///
/// `apiVersion`, `kind` and `metadata` of the object itself and of embedded resources stay as they are.
pub fn prune(schema: Schema<'_>, object: &mut Value) -> Vec<String> {
    let mut pruner = Pruner::default();
    pruner.prune(object, Some(schema), true);
    pruner.unknown.sort();
    pruner.unknown
}

/// Removes the unknown fields of a value that is not a whole object.
pub(super) fn prune_value(schema: Schema<'_>, value: &mut Value) -> Vec<String> {
    let mut pruner = Pruner::default();
    pruner.prune(value, Some(schema), schema.embedded_resource);
    pruner.unknown
}

#[derive(Default)]
struct Pruner {
    path: String,
    unknown: Vec<String>,
}

impl Pruner {
    fn prune(&mut self, value: &mut Value, schema: Option<Schema<'_>>, resource: bool) {
        if let Some(schema) = schema.filter(|it| it.preserve_unknown) {
            return self.skip(value, schema, resource);
        }
        match value {
            Value::Object(fields) => fields.retain(|key, value| self.keep(key, value, schema, resource)),
            Value::Array(items) => {
                let schema = schema.and_then(Schema::items);
                for (index, item) in items.iter_mut().enumerate() {
                    self.at_index(index, |it| it.prune(item, schema, is_resource(schema)));
                }
            }
            _ => {}
        }
    }

    /// Whether a field stays. What is under it is pruned.
    fn keep(&mut self, key: &str, value: &mut Value, schema: Option<Schema<'_>>, resource: bool) -> bool {
        let meta = META_FIELDS.contains(&key);
        if resource && meta {
            return true;
        }
        let field = schema.and_then(|it| it.field(key));
        if field.is_some() {
            self.at_key(key, |it| it.prune(value, field, is_resource(field)));
            return true;
        }
        if !meta || !self.path.is_empty() {
            self.at_key(key, |it| it.unknown.push(it.path.clone()));
        }
        false
    }

    /// Unknown fields stay here; the known ones are pruned.
    fn skip(&mut self, value: &mut Value, schema: Schema<'_>, resource: bool) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields.iter_mut() {
                    if resource && META_FIELDS.contains(&key.as_str()) {
                        continue;
                    }
                    if let Some(field) = schema.field(key) {
                        self.at_key(key, |it| it.prune(value, Some(field), field.embedded_resource));
                    }
                }
            }
            Value::Array(items) => {
                let Some(schema) = schema.items() else { return };
                for (index, item) in items.iter_mut().enumerate() {
                    self.at_index(index, |it| it.skip(item, schema, schema.embedded_resource));
                }
            }
            _ => {}
        }
    }

    fn at_key(&mut self, key: &str, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(key);
        then(self);
        self.path.truncate(length);
    }

    fn at_index(&mut self, index: usize, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        let _ = write!(self.path, "[{index}]");
        then(self);
        self.path.truncate(length);
    }
}

fn is_resource(schema: Option<Schema<'_>>) -> bool {
    schema.is_some_and(|it| it.embedded_resource)
}
