//! One cell of a row: a path into the object, or a function of it.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::read::{has, integer, items, length, text};
use crate::table::duration::since;
use crate::table::selector;

/// What a cell shows. Strings that begin with `/` are JSON pointers.
#[derive(Clone, Copy)]
pub(super) enum Cell {
    /// The name of the object.
    Name,
    /// How long ago the object was created.
    Age,
    /// A string, empty if it is missing.
    Text(&'static str),
    /// A string, or what stands for a missing one.
    TextOr(&'static str, &'static str),
    /// A whole number, 0 if it is missing.
    Integer(&'static str),
    /// A whole number, or the string that stands for a missing one.
    IntegerOr(&'static str, &'static str),
    /// A boolean, or what a missing one means.
    Boolean(&'static str, bool),
    /// How many entries lists and maps have together.
    Entries(&'static [&'static str]),
    /// Two whole numbers: `1/3`.
    Ratio(&'static str, &'static str),
    /// The names of containers: `app,proxy`.
    Containers(&'static str),
    /// The images of containers.
    Images(&'static str),
    /// Labels: `a=1,b=2`.
    Labels(&'static str),
    /// A label selector.
    Selector(&'static str),
    /// How long ago a moment was, or what stands for a missing one.
    Since(&'static str, &'static str),
    /// What a path cannot say.
    Of(fn(&Value) -> Value),
    /// What depends on the time, too.
    At(fn(&Value, Timestamp) -> Value),
}

impl Cell {
    pub(super) fn of(&self, object: &Value, now: Timestamp) -> Value {
        match *self {
            Self::Name => json!(text(object, "/metadata/name")),
            Self::Age => json!(age(object, now)),
            Self::Text(pointer) => json!(text(object, pointer)),
            Self::TextOr(pointer, missing) => json!(if has(object, pointer) {
                text(object, pointer)
            } else {
                missing
            }),
            Self::Integer(pointer) => json!(integer(object, pointer)),
            Self::IntegerOr(pointer, missing) => match object.pointer(pointer) {
                Some(Value::Number(number)) => Value::Number(number.clone()),
                _ => json!(missing),
            },
            Self::Boolean(pointer, missing) => {
                json!(object.pointer(pointer).and_then(Value::as_bool).unwrap_or(missing))
            }
            Self::Entries(pointers) => json!(pointers.iter().map(|pointer| length(object, pointer)).sum::<usize>()),
            Self::Ratio(some, all) => json!(format!("{}/{}", integer(object, some), integer(object, all))),
            Self::Containers(pointer) => json!(joined(object, pointer, "/name")),
            Self::Images(pointer) => json!(joined(object, pointer, "/image")),
            Self::Labels(pointer) => json!(selector::labels(object.pointer(pointer))),
            Self::Selector(pointer) => json!(selector::cell(object.pointer(pointer))),
            Self::Since(pointer, missing) => match object.pointer(pointer).and_then(Value::as_str) {
                Some(moment) => json!(since(Some(moment), now)),
                None => json!(missing),
            },
            Self::Of(of) => of(object),
            Self::At(at) => at(object, now),
        }
    }
}

/// How long ago the object was created.
pub(super) fn age(object: &Value, now: Timestamp) -> String {
    since(
        object.pointer("/metadata/creationTimestamp").and_then(Value::as_str),
        now,
    )
}

/// One field of each item of a list, with commas between.
pub(super) fn joined(object: &Value, list: &str, field: &str) -> String {
    items(object, list)
        .iter()
        .map(|item| text(item, field))
        .collect::<Vec<_>>()
        .join(",")
}
