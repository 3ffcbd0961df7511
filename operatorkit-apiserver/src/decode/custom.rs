//! Custom resources: read without a type, with their metadata as the Go type reads it
//! (`k8s.io/apiextensions-apiserver/pkg/apiserver`).

use serde_json::Value;

use super::{
    json::Json,
    strict::{Place, StrictErrors, duplicates},
    typed,
};
use crate::schema::Schema;

/// Reads a custom resource.
pub(super) fn read(
    document: &Json<'_>,
    metadata: Schema<'_>,
    prune: &dyn Fn(&mut Value) -> Vec<String>,
    strict: &mut StrictErrors,
) -> Result<Value, String> {
    duplicates(document, &Place::Root, strict);
    let mut object = document
        .to_value()
        .map_err(|number| format!("json: cannot unmarshal number {number} into Go value of type float64"))?;
    if let Some(fields) = object.as_object_mut() {
        match document.get("metadata") {
            None | Some(Json::Null) => drop(fields.remove("metadata")),
            Some(given) => {
                let place = Place::Field(&Place::Root, "metadata");
                let read = typed::read(given, metadata, &place, Some(strict))?;
                fields.insert("metadata".to_owned(), read);
            }
        }
    }
    for place in prune(&mut object) {
        strict.unknown_at(&place);
    }
    Ok(object)
}
