//! The columns of a custom resource: its name, and the `additionalPrinterColumns` of its version.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::document::Row;
use super::duration;
use super::jsonpath::{Path, print};
use crate::read::{integer, some_text, text};

const NAME: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources \
                    may allow a client to request the generation of an appropriate name automatically. Name is primarily \
                    intended for creation idempotence and configuration definition. Cannot be updated. More info: \
                    https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

const CREATED: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is \
                       not guaranteed to be set in happens-before order across separate operations. Clients may not set \
                       this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. \
                       Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/\
                       sig-architecture/api-conventions.md#metadata";

/// The columns of one version of a custom resource, compiled.
#[derive(Clone, Debug)]
pub struct Columns {
    definitions: Value,
    columns: Vec<Column>,
}

/// One column beside the name.
#[derive(Clone, Debug)]
struct Column {
    kind: Kind,
    path: Path,
}

/// What a column shows, and so how its value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    Date,
    /// A type that is none: its cells are empty.
    Unknown,
}

impl Columns {
    /// The columns of a built-in kind: its definitions as they are. Their cells are not read by paths.
    pub fn built_in(definitions: Value) -> Self {
        Self {
            definitions,
            columns: Vec::new(),
        }
    }

    /// Compiles the list `additionalPrinterColumns` of a version; without one there is the age.
    ///
    /// A path that cannot be compiled ends the list: the real server shows the columns before it, and no others.
    pub fn compile(additional: Option<&Value>) -> Self {
        let age = [json!({
            "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "description": CREATED,
        })];
        let additional = additional
            .and_then(Value::as_array)
            .filter(|columns| !columns.is_empty());
        let mut definitions = vec![json!({
            "name": "Name", "type": "string", "format": "name", "description": NAME, "priority": 0,
        })];
        let mut columns = Vec::new();
        for column in additional.map_or(&age[..], Vec::as_slice) {
            let Ok(path) = Path::compile(text(column, "/jsonPath")) else {
                break;
            };
            columns.push(Column {
                kind: Kind::of(text(column, "/type")),
                path,
            });
            definitions.push(definition(column));
        }
        Self {
            definitions: Value::Array(definitions),
            columns,
        }
    }

    /// The list `columnDefinitions` of the table.
    pub fn definitions(&self) -> &Value {
        &self.definitions
    }

    /// The cells of one object.
    pub fn cells(&self, object: &Value, now: Timestamp) -> Vec<Value> {
        let cells = self.columns.iter().map(|column| match column.path.first(object) {
            Some(value) => column.kind.cell(&value, now),
            None => Value::Null,
        });
        std::iter::once(json!(text(object, "/metadata/name")))
            .chain(cells)
            .collect()
    }

    /// The rows of objects.
    pub fn rows<'a>(&self, objects: &'a [Value], now: Timestamp) -> Vec<Row<'a>> {
        let row = |object| Row {
            cells: self.cells(object, now),
            conditions: None,
            object,
        };
        objects.iter().map(row).collect()
    }
}

fn definition(column: &Value) -> Value {
    let description = some_text(column, "/description").map_or_else(
        || {
            format!(
                "Custom resource definition column (in JSONPath format): {}",
                text(column, "/jsonPath")
            )
        },
        str::to_owned,
    );
    json!({
        "name": text(column, "/name"),
        "type": text(column, "/type"),
        "format": text(column, "/format"),
        "description": description,
        "priority": integer(column, "/priority"),
    })
}

impl Kind {
    fn of(kind: &str) -> Self {
        match kind {
            "string" => Self::Text,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "date" => Self::Date,
            _ => Self::Unknown,
        }
    }

    /// A value of another type than the column's is not shown, but in columns of strings, which show all.
    fn cell(self, value: &Value, now: Timestamp) -> Value {
        match (self, value) {
            (Self::Text, value) => json!(print::text(value)),
            (Self::Integer, Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
                (Some(integer), _) => json!(integer),
                #[expect(clippy::cast_possible_truncation, reason = "Go cuts the fraction off, too")]
                (None, Some(float)) => json!(float as i64),
                (None, None) => Value::Null,
            },
            (Self::Number, Value::Number(_)) | (Self::Boolean, Value::Bool(_)) => value.clone(),
            (Self::Date, Value::String(moment)) => json!(age(moment, now)),
            _ => Value::Null,
        }
    }
}

/// How long ago a moment was; `<unknown>` for none, `<invalid>` for text that is not one.
fn age(moment: &str, now: Timestamp) -> String {
    let is_none = moment.is_empty() || moment == "null";
    if !is_none && (moment.as_bytes().get(10) != Some(&b'T') || moment.parse::<Timestamp>().is_err()) {
        return "<invalid>".to_owned();
    }
    duration::since(Some(moment), now)
}
