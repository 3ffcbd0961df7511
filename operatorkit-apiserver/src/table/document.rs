//! The documents that a client asks for by `Accept: …;as=Table` and `…;as=PartialObjectMetadata`.

use serde_json::{Map, Value, json};

/// The version of these documents that clients ask for today. The other one that is served is `v1beta1`.
pub const META_V1: &str = "meta.k8s.io/v1";

/// What a row carries of its object: the parameter `includeObject`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IncludeObject {
    /// Nothing.
    None,
    /// Its metadata, as `PartialObjectMetadata`.
    #[default]
    Metadata,
    /// The whole object.
    Object,
}

impl IncludeObject {
    /// Reads the parameter; an empty one asks for metadata.
    ///
    /// # Errors
    ///
    /// The message of the real server for a value that is none.
    pub fn parse(parameter: &str) -> Result<Self, String> {
        match parameter {
            "" | "Metadata" => Ok(Self::Metadata),
            "None" => Ok(Self::None),
            "Object" => Ok(Self::Object),
            other => Err(format!(
                "Unable to convert to Table as requested: includeObject: Invalid value: {other:?}: must be 'Metadata', \
                 'Object', 'None', or empty"
            )),
        }
    }
}

/// One row of a table.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// One cell for each column.
    pub cells: Vec<Value>,
    /// What is said of the row: that it is completed.
    pub conditions: Option<Value>,
    /// What the row is about.
    pub object: &'a Value,
}

/// A `Table`.
///
/// `columns` is the list of its column definitions, `None` for a table without headers (`noHeaders`, and all events of a
/// watch but the first). `metadata` is that of the list, or of the only object: of it the table has the
/// `resourceVersion`, `continue` and `remainingItemCount`.
pub fn table(
    api_version: &str,
    columns: Option<&Value>,
    rows: Vec<Row<'_>>,
    metadata: &Value,
    include: IncludeObject,
) -> Value {
    let rows: Vec<Value> = rows
        .into_iter()
        .map(|row| row_document(api_version, row, include))
        .collect();
    json!({
        "kind": "Table",
        "apiVersion": api_version,
        "metadata": list_metadata(metadata),
        "columnDefinitions": columns,
        "rows": rows,
    })
}

fn row_document(api_version: &str, row: Row<'_>, include: IncludeObject) -> Value {
    let mut document = Map::new();
    document.insert("cells".to_owned(), Value::Array(row.cells));
    if let Some(conditions) = row.conditions {
        document.insert("conditions".to_owned(), conditions);
    }
    let object = match include {
        IncludeObject::None => Value::Null,
        IncludeObject::Metadata => metadata_only(api_version, row.object),
        IncludeObject::Object => row.object.clone(),
    };
    document.insert("object".to_owned(), object);
    Value::Object(document)
}

/// The `PartialObjectMetadata` of an object. `api_version` is that of the document, [`META_V1`] as a rule.
pub fn metadata_only(api_version: &str, object: &Value) -> Value {
    json!({
        "kind": "PartialObjectMetadata",
        "apiVersion": api_version,
        "metadata": object.get("metadata").cloned().unwrap_or_else(|| json!({})),
    })
}

/// The `PartialObjectMetadataList` of objects, with the metadata of their list.
///
/// Without objects `items` is null, as the real server has it.
pub fn metadata_list(api_version: &str, objects: &[Value], metadata: &Value) -> Value {
    let items: Vec<Value> = objects
        .iter()
        .map(|object| metadata_only(api_version, object))
        .collect();
    json!({
        "kind": "PartialObjectMetadataList",
        "apiVersion": api_version,
        "metadata": list_metadata(metadata),
        "items": if items.is_empty() { Value::Null } else { Value::Array(items) },
    })
}

fn list_metadata(metadata: &Value) -> Value {
    let kept = ["resourceVersion", "continue", "remainingItemCount"];
    let kept = kept
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), metadata.get(name)?.clone())));
    Value::Object(kept.collect())
}
