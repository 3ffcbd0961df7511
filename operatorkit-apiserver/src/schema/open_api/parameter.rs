//! What requests take beside a body.

use serde_json::{Value, json};

use super::operation::Action;

const WRITE: &[(&str, &str)] = &[
    ("dryRun", "string"),
    ("fieldManager", "string"),
    ("fieldValidation", "string"),
];
const PATCH: &[(&str, &str)] = &[
    ("dryRun", "string"),
    ("fieldManager", "string"),
    ("fieldValidation", "string"),
    ("force", "boolean"),
];
const LIST: &[(&str, &str)] = &[
    ("allowWatchBookmarks", "boolean"),
    ("continue", "string"),
    ("fieldSelector", "string"),
    ("labelSelector", "string"),
    ("limit", "integer"),
    ("resourceVersion", "string"),
    ("resourceVersionMatch", "string"),
    ("sendInitialEvents", "boolean"),
    ("timeoutSeconds", "integer"),
    ("watch", "boolean"),
];
const DELETE: &[(&str, &str)] = &[
    ("dryRun", "string"),
    ("gracePeriodSeconds", "integer"),
    ("orphanDependents", "boolean"),
    ("propagationPolicy", "string"),
];
const DELETE_COLLECTION: &[(&str, &str)] = &[
    ("continue", "string"),
    ("dryRun", "string"),
    ("fieldSelector", "string"),
    ("gracePeriodSeconds", "integer"),
    ("labelSelector", "string"),
    ("limit", "integer"),
    ("orphanDependents", "boolean"),
    ("propagationPolicy", "string"),
    ("resourceVersion", "string"),
    ("resourceVersionMatch", "string"),
    ("timeoutSeconds", "integer"),
];

/// What an action takes in the query.
pub(super) fn of_action(action: Action) -> Value {
    let parameters = match action {
        Action::Get => &[],
        Action::List => LIST,
        Action::Create | Action::Update => WRITE,
        Action::Patch => PATCH,
        Action::Delete => DELETE,
        Action::DeleteCollection => DELETE_COLLECTION,
    };
    parameters.iter().map(|(name, type_)| query(name, type_)).collect()
}

/// What every request to a path takes: what is in the path, and `pretty`.
pub(super) fn of_path(path: &str) -> Value {
    let mut all = Vec::new();
    for name in ["name", "namespace"] {
        if path.contains(&format!("{{{name}}}")) {
            all.push(json!({
                "name": name, "in": "path", "required": true, "schema": { "type": "string", "uniqueItems": true },
            }));
        }
    }
    all.push(query("pretty", "string"));
    all.into()
}

fn query(name: &str, type_: &str) -> Value {
    json!({ "name": name, "in": "query", "schema": { "type": type_, "uniqueItems": true } })
}
