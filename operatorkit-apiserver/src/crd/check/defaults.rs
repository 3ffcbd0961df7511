//! Default values against their schema (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting`).

use serde_json::{Map, Value, json};

use crate::{
    crd::{
        cel, embedded,
        prune::{META_FIELDS, prune, prune_value},
        validation,
    },
    failure::{FieldError, FieldPath},
    schema::Schema,
};

/// A step from a resource to a value in it.
#[derive(Clone)]
enum Step<'a> {
    Field(&'a str),
    Item,
}

/// Where a default is: in which resource, by which steps, and whether in its metadata.
#[derive(Clone)]
struct Place<'a> {
    resource: Schema<'a>,
    steps: Vec<Step<'a>>,
    meta: bool,
}

/// Checks each default in a schema.
pub(super) fn check(root: Schema<'_>, at: &FieldPath) -> Vec<FieldError> {
    let mut errors = Vec::new();
    descend(root, None, at, &mut errors);
    errors
}

/// `place` is `None` at the root, which is a resource even if its schema does not say so.
fn descend<'a>(schema: Schema<'a>, place: Option<Place<'a>>, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let root = place.is_none();
    let resource = root || schema.embedded_resource;
    let place = match place {
        Some(place) if !resource => place,
        _ => Place {
            resource: schema,
            steps: Vec::new(),
            meta: false,
        },
    };
    if let Some(default) = &schema.node().default {
        let at = at.child("default");
        if place.meta {
            in_metadata(schema, &place, default, &at, errors);
        } else {
            plain(schema, resource, default, &at, errors);
        }
    }
    if let Some(items) = schema.items() {
        let mut below = place.clone();
        below.steps.push(Step::Item);
        descend(items, Some(below), &at.child("items"), errors);
    }
    for (name, id) in &schema.node().properties {
        let mut below = place.clone();
        below.steps.push(Step::Field(name));
        below.meta |= resource && META_FIELDS.contains(&&**name);
        let at = at.child("properties").key(name);
        descend(schema.at(*id), Some(below), &at, errors);
    }
}

fn plain(schema: Schema<'_>, resource: bool, default: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let mut pruned = default.clone();
    let unknown = if resource {
        prune(schema, &mut pruned)
    } else {
        prune_value(schema, &mut pruned)
    };
    if !unknown.is_empty() || pruned != *default {
        errors.push(FieldError::invalid(at, default, "must not have unknown fields"));
    }
    let mut read = default.clone();
    if let Err(wrong) = coerce(schema, resource, &mut read, at) {
        errors.push(wrong);
        return;
    }
    let wrong = if resource {
        embedded::validate_resource(schema, &read, at)
    } else {
        embedded::validate(schema, &read, at)
    };
    if !wrong.is_empty() {
        errors.extend(wrong);
        return;
    }
    let wrong = validation::validate(schema, &read, None, at);
    if wrong.is_empty() {
        rules(schema, resource, &read, at, errors);
    }
    errors.extend(wrong);
}

/// Runs the rules on a default: as if it replaced itself, and as if it were new.
fn rules(schema: Schema<'_>, resource: bool, default: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let rules = cel::Rules::new(schema, resource);
    for old in [Some(default), None] {
        let wrong = rules.validate_all(schema, default, old, at, resource);
        if !wrong.is_empty() {
            errors.extend(wrong);
            return;
        }
    }
}

/// A default in the metadata of a resource is checked in a resource made around it.
fn in_metadata(schema: Schema<'_>, place: &Place<'_>, default: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let mut object = surround(&place.steps, default);
    let root = FieldPath::root();
    let mut refuse = |why: String| {
        errors.push(FieldError::invalid(
            at,
            default,
            format!("must result in valid metadata: {why}"),
        ));
    };
    if let Err(wrong) = coerce(place.resource, true, &mut object, &root) {
        return refuse(wrong.to_string());
    }
    let wrong = embedded::validate_resource(place.resource, &object, &root);
    if !wrong.is_empty() {
        let all: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        return refuse(if all.len() == 1 {
            all.concat()
        } else {
            format!("[{}]", all.join(", "))
        });
    }
    errors.extend(validation::validate(schema, default, None, at));
}

fn coerce(schema: Schema<'_>, resource: bool, value: &mut Value, at: &FieldPath) -> Result<(), FieldError> {
    if resource && !schema.embedded_resource {
        embedded::coerce_resource(value, at)?;
    }
    embedded::coerce(schema, value, at).map(drop)
}

fn surround(steps: &[Step<'_>], value: &Value) -> Value {
    let mut object = steps.iter().rev().fold(value.clone(), |inner, step| match step {
        Step::Field(name) => Value::Object(Map::from_iter([((*name).to_owned(), inner)])),
        Step::Item => json!([inner]),
    });
    for (name, text) in [("kind", "Validation"), ("apiVersion", "validation/v1")] {
        if object.get(name).is_none() && object.is_object() {
            object[name] = text.into();
        }
    }
    object
}
