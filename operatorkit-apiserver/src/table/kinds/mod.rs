//! The cells of the built-in kinds, in the order of the kind's columns, as `kubernetes/pkg/printers` makes them.
//!
//! | module | what |
//! |---|---|
//! | `cell` | a cell that is a path into the object, or a function of it |
//! | `list` | the cells of each kind: data |
//! | the others | what is more than a path, by subject |

mod admission;
mod autoscaling;

mod cell;
mod certificates;
mod event;
mod ingress;
mod list;
mod network;
mod node;
mod pod;
mod policy;
mod resource;
mod storage;
mod workload;

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::document::Row;
use crate::read::{integer, text};

/// The cells of an object of a built-in kind, those of wide output included: the server sends all of them.
///
/// `None` for a kind that has no cells of its own: see [`default_cells`].
pub fn cells(group: &str, kind: &str, object: &Value, now: Timestamp) -> Option<Vec<Value>> {
    let cells = list::cells_of(group, kind)?;
    Some(cells.iter().map(|cell| cell.of(object, now)).collect())
}

/// The cells of the columns `Name` and `Created At`, which kinds without columns of their own have.
pub fn default_cells(object: &Value) -> Vec<Value> {
    vec![
        json!(text(object, "/metadata/name")),
        json!(text(object, "/metadata/creationTimestamp")),
    ]
}

/// The columns of a `Scale`, which is a subresource of many kinds and listed as none.
pub fn scale_columns() -> Value {
    let column =
        |name, kind, format| json!({ "name": name, "type": kind, "format": format, "description": "", "priority": 0 });
    json!([
        column("Name", "string", "name"),
        column("Desired", "integer", ""),
        column("Available", "integer", ""),
        column("Age", "string", ""),
    ])
}

/// The conditions of a row: that a Pod has ended, nothing for all else.
pub fn row_conditions(group: &str, kind: &str, object: &Value) -> Option<Value> {
    if (group, kind) != ("", "Pod") {
        return None;
    }
    let (reason, message) = match text(object, "/status/phase") {
        "Succeeded" => ("Succeeded", "The pod has completed successfully."),
        "Failed" => ("Failed", "The pod failed."),
        _ => return None,
    };
    Some(json!([{ "type": "Completed", "status": "True", "reason": reason, "message": message }]))
}

/// The rows of a list of a built-in kind.
///
/// A list is more than its objects: `FlowSchema`s come in the order in which they match, and of the `StorageClass`es
/// the one that is the default is marked.
pub fn rows<'a>(group: &str, kind: &str, objects: &'a [Value], now: Timestamp) -> Vec<Row<'a>> {
    let mut objects: Vec<&Value> = objects.iter().collect();
    if (group, kind) == ("flowcontrol.apiserver.k8s.io", "FlowSchema") {
        objects.sort_by(|a, b| precedence(a, b));
    }
    let default_class = match (group, kind) {
        ("storage.k8s.io", "StorageClass") => storage::default_class(&objects),
        _ => None,
    };
    let row = |object: &'a Value| {
        let mut cells = cells(group, kind, object, now).unwrap_or_else(|| default_cells(object));
        if default_class.is_some_and(|name| cells.first().and_then(Value::as_str) == Some(name)) {
            cells[0] = json!(format!("{} (default)", text(object, "/metadata/name")));
        }
        Row {
            cells,
            conditions: row_conditions(group, kind, object),
            object,
        }
    };
    objects.into_iter().map(row).collect()
}

fn precedence(a: &Value, b: &Value) -> Ordering {
    const PRECEDENCE: &str = "/spec/matchingPrecedence";
    let name = |object| text(object, "/metadata/name").to_owned();
    integer(a, PRECEDENCE)
        .cmp(&integer(b, PRECEDENCE))
        .then_with(|| name(a).cmp(&name(b)))
}
