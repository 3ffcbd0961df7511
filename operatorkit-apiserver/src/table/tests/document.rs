//! The documents, as the real server answers.

use serde_json::json;

use crate::table::document::META_V1;
use crate::table::{IncludeObject, Row, metadata_list, metadata_only, table};

#[test]
fn a_row_carries_what_is_asked_for() {
    let object = json!({ "kind": "X", "apiVersion": "v1", "metadata": { "name": "n" }, "spec": {} });
    let of = |api_version: &str, include| {
        let row = Row {
            cells: vec![json!("n")],
            conditions: None,
            object: &object,
        };
        table(
            api_version,
            None,
            vec![row],
            &json!({ "resourceVersion": "5" }),
            include,
        )
    };
    let expected = |row: serde_json::Value| {
        json!({
            "kind": "Table",
            "apiVersion": META_V1,
            "metadata": { "resourceVersion": "5" },
            "columnDefinitions": null,
            "rows": [{ "cells": ["n"], "object": row }],
        })
    };
    let metadata = json!({ "kind": "PartialObjectMetadata", "apiVersion": META_V1, "metadata": { "name": "n" } });
    assert_eq!(of(META_V1, IncludeObject::None), expected(json!(null)));
    assert_eq!(of(META_V1, IncludeObject::Metadata), expected(metadata));
    assert_eq!(of(META_V1, IncludeObject::Object), expected(object.clone()));
    let beta = of("meta.k8s.io/v1beta1", IncludeObject::Metadata);
    assert_eq!(beta["rows"][0]["object"]["apiVersion"], "meta.k8s.io/v1beta1");
}

#[test]
fn the_parameter_is_read() {
    assert_eq!(IncludeObject::parse(""), Ok(IncludeObject::Metadata));
    assert_eq!(IncludeObject::parse("None"), Ok(IncludeObject::None));
    assert_eq!(
        IncludeObject::parse("X").unwrap_err(),
        "Unable to convert to Table as requested: includeObject: Invalid value: \"X\": must be 'Metadata', 'Object', \
         'None', or empty",
    );
}

#[test]
fn lists_of_metadata() {
    let metadata = json!({ "resourceVersion": "5", "continue": "c", "remainingItemCount": 2, "selfLink": "" });
    let kept = json!({ "resourceVersion": "5", "continue": "c", "remainingItemCount": 2 });
    let objects = [json!({ "metadata": { "name": "n" }, "data": {} })];
    let list = metadata_list(META_V1, &objects, &metadata);
    assert_eq!(list["metadata"], kept);
    assert_eq!(list["items"], json!([metadata_only(META_V1, &objects[0])]));
    assert_eq!(metadata_list(META_V1, &[], &metadata)["items"], json!(null));
}
