//! List types, map types and the keys of list maps.

use serde_json::Value;

use super::text;
use crate::{
    crd::structure::array,
    failure::{FieldError, FieldPath},
};

const LIST: &str = "x-kubernetes-list-type";
const MAP: &str = "x-kubernetes-map-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

/// Checks one place of a schema.
pub(super) fn check(schema: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    if let Some(map) = schema[MAP].as_str() {
        of_type(schema, "object", MAP, at, errors);
        if !["atomic", "granular"].contains(&map) {
            errors.push(FieldError::not_supported(
                &at.child(MAP),
                &schema[MAP],
                &["atomic", "granular"],
            ));
        }
    }
    let list = schema[LIST].as_str();
    if list.is_some() && !of_type(schema, "array", LIST, at, errors) && list == Some("set") {
        items_of_set(&schema["items"], &at.child("items"), errors);
    }
    if list.is_some_and(|it| !["atomic", "set", "map"].contains(&it)) {
        // The real server does not sort these.
        let mut error = FieldError::not_supported::<&str>(&at.child(LIST), &schema[LIST], &[]);
        error.body.push_str(": supported values: \"atomic\", \"set\", \"map\"");
        errors.push(error);
    }
    if !array(&schema[KEYS]).is_empty() && list != Some("map") {
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        errors.push(match list {
            None => FieldError::required(&at.child(LIST), detail),
            Some(_) => FieldError::invalid(&at.child(LIST), &schema[LIST], detail),
        });
    }
    if list == Some("map") {
        list_map(schema, at, errors);
    }
    if let Some(list @ ("map" | "set")) = list {
        nullable(schema, list, at, errors);
    }
}

/// Whether the type is wrong.
fn of_type(schema: &Value, expected: &str, why: &str, at: &FieldPath, errors: &mut Vec<FieldError>) -> bool {
    let detail = format!("must be {expected} if {why} is specified");
    let field = at.child("type");
    match text(&schema["type"]) {
        Some(type_) if type_ == expected => return false,
        Some(_) => errors.push(FieldError::invalid(&field, &schema["type"], detail)),
        None => errors.push(FieldError::required(&field, &detail)),
    }
    true
}

fn items_of_set(items: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let wrong = match items["type"].as_str() {
        Some("array") => items[LIST].as_str().is_some_and(|it| it != "atomic").then_some(LIST),
        Some("object") => (items[MAP] != "atomic").then_some(MAP),
        _ => None,
    };
    if let Some(key) = wrong {
        let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        errors.push(FieldError::invalid(&at.child(key), &items[LIST], detail));
    }
}

fn list_map(schema: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let keys = array(&schema[KEYS]);
    if keys.is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        errors.push(FieldError::required(&at.child(KEYS), detail));
    }
    let items = &schema["items"];
    let items_at = at.child("items");
    if !items.is_object() {
        errors.push(FieldError::required(
            &items_at,
            "must have a schema if x-kubernetes-list-type is map",
        ));
        return;
    }
    if items["type"] != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        let type_ = items["type"].as_str().unwrap_or_default();
        errors.push(FieldError::invalid(&items_at.child("type"), &type_.into(), detail));
        return;
    }
    for (index, key) in keys.iter().enumerate() {
        let name = key.as_str().unwrap_or_default();
        let mut refuse = |detail: &str| errors.push(FieldError::invalid(&at.child(KEYS), &schema[KEYS], detail));
        let property = items["properties"].get(name);
        if property.is_none() {
            refuse("entries must all be names of item properties");
        }
        if keys[..index].contains(key) {
            refuse("must not contain duplicate entries");
        }
        if property.is_some_and(|it| it["type"] == "array" || it["type"] == "object") {
            let field = items_at.child("properties").key(name).child("type");
            let detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
            errors.push(FieldError::invalid(&field, &items["type"], detail));
        }
    }
}

fn nullable(schema: &Value, list: &str, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let items = &schema["items"];
    let at = at.child("items");
    if items["nullable"] == true {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list}");
        errors.push(FieldError::forbidden(&at.child("nullable"), detail));
    }
    for key in array(&schema[KEYS]).iter().filter(|_| list == "map") {
        let Some(property) = items["properties"].get(key.as_str().unwrap_or_default()) else {
            continue;
        };
        let at = at.child("properties").key(key.as_str().unwrap_or_default());
        if !array(&items["required"]).contains(key) && property["default"].is_null() {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required \
                          property";
            errors.push(FieldError::required(&at.child("default"), detail));
        }
        if property["nullable"] == true {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.push(FieldError::forbidden(&at.child("nullable"), detail));
        }
    }
}
