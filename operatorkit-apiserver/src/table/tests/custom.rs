//! Columns of custom resources: each path and type gives what the real server shows.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::at;
use crate::table::jsonpath::Path;
use crate::table::{Columns, IncludeObject, document, table};

#[test]
fn paths_find_what_the_real_server_finds() {
    let facts: Value = serde_json::from_str(include_str!("custom.json")).unwrap();
    let now = at(facts["now"].as_str().unwrap());
    let mut differences = Vec::new();
    for fact in facts["columns"].as_array().unwrap() {
        let columns = Columns::compile(Some(&json!([{ "name": "c", "type": fact[0], "jsonPath": fact[1] }])));
        for (object, real) in facts["objects"].as_array().unwrap().iter().zip(0..) {
            let ours = columns.cells(object, now).get(1).cloned();
            // A column whose path is none is left out.
            let real = fact[2].get(real).cloned();
            if ours != real {
                differences.push(format!("{} {}: ours {ours:?}, real {real:?}", fact[0], fact[1]));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_path_that_is_none_ends_the_columns() {
    let column = |name: &str, path: &str| json!({ "name": name, "type": "string", "jsonPath": path, "priority": 1 });
    let columns = json!([column("a", ".spec.a"), column("b", ".spec["), column("c", ".spec.c")]);
    let columns = Columns::compile(Some(&columns));
    let object = json!({ "metadata": { "name": "n" }, "spec": { "a": "1", "c": "2" } });
    assert_eq!(columns.cells(&object, at("2026-01-01T00:00:00Z")), ["n", "1"]);
    let description = "Custom resource definition column (in JSONPath format): .spec.a";
    let definition = json!({ "name": "a", "type": "string", "format": "", "description": description, "priority": 1 });
    assert_eq!(columns.definitions()[1], definition);
    assert_eq!(columns.definitions().as_array().unwrap().len(), 2);
}

#[test]
fn without_columns_there_is_the_age() {
    let objects = [json!({ "metadata": { "name": "n", "creationTimestamp": "2026-01-01T00:00:00Z" } })];
    for columns in [None, Some(json!([]))] {
        let columns = Columns::compile(columns.as_ref());
        let rows = columns.rows(&objects, at("2026-01-03T01:00:00Z"));
        let table = table(
            document::META_V1,
            Some(columns.definitions()),
            rows,
            &json!({}),
            IncludeObject::None,
        );
        assert_eq!(table["columnDefinitions"][1]["name"], "Age");
        assert_eq!(table["columnDefinitions"][1]["type"], "date");
        assert_eq!(table["rows"], json!([{ "cells": ["n", "2d1h"], "object": null }]));
    }
}

#[test]
fn many_descents_are_bounded() {
    let mut object = json!({ "a": 1 });
    for _ in 0..100 {
        object = json!({ "a": object, "b": [1, 2, 3] });
    }
    let path = Path::compile(".a..a..a..a..a..a..a..a..a..a").unwrap();
    assert_eq!(path.first(&object), None);
}

#[test]
fn a_date_is_written_as_go_reads_it() {
    let now = at("2026-01-01T00:00:10Z");
    let column = json!([{ "name": "c", "type": "date", "jsonPath": ".d" }]);
    let columns = Columns::compile(Some(&column));
    for (date, shown) in [
        ("2026-01-01T00:00:00Z", "10s"),
        ("2026-01-01 00:00:00Z", "<invalid>"),
        ("2026-01-01", "<invalid>"),
        ("", "<unknown>"),
        ("null", "<unknown>"),
        ("2026-01-01T00:01:00Z", "<invalid>"),
    ] {
        assert_eq!(columns.cells(&json!({ "d": date }), now)[1], shown, "{date}");
    }
}

proptest! {
    #[test]
    fn no_path_panics(path in "[.\\[\\]?()@=!<>'\"\\\\{}: ,*a0-9-]{0,40}") {
        let object = json!({ "a": [{ "a": "x" }, { "a": 1 }, [1.5, true, null]], "0": "ü" });
        if let Ok(path) = Path::compile(&path) {
            let _ = path.first(&object);
        }
    }
}
