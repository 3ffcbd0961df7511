//! `fieldsV1`, byte by byte as the real server writes it, and the operations on sets.

use serde_json::{Value, json};

use crate::apply::{FieldSet, PathElement};

fn read(text: &str) -> FieldSet {
    FieldSet::from_fields_v1(&serde_json::from_str(text).unwrap()).unwrap()
}

fn field(name: &str) -> PathElement {
    PathElement::Field(name.into())
}

#[test]
fn is_written_as_it_was_read() {
    for text in [
        "{}",
        r#"{"f:a":{}}"#,
        r#"{"f:a":{".":{},"f:b":{}},"f:c":{"f:d":{}}}"#,
        r#"{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{}}}}"#,
        r#"{"f:l":{"k:{\"port\":80}":{},"k:{\"port\":443}":{},"v:\"a\"":{},"v:\"b\"":{},"v:true":{},"i:2":{},"i:10":{}}}"#,
        r#"{"v:-1":{},"v:0.5":{},"v:9":{},"v:10":{},"v:1000000":{},"v:1e+21":{},"v:\"<\\u003c>\"":{}}"#,
    ] {
        let set = read(text);
        let again = set.to_json();
        assert_eq!(
            again,
            text.replace("v:\\\"<\\\\u003c>\\\"", "v:\\\"\\\\u003c\\\\u003c\\\\u003e\\\"")
        );
        assert_eq!(FieldSet::from_fields_v1(&set.to_fields_v1()).unwrap(), set);
    }
}

#[test]
fn other_spellings_are_the_same_set() {
    assert_eq!(read(r#"{"f:a":{".":{}}}"#), read(r#"{"f:a":{}}"#));
    assert_eq!(read(r#"{"f:a":{"x:b":{}}}"#), read(r#"{"f:a":null}"#));
    assert_eq!(read(r#"{"v:1.0":{}}"#), read(r#"{"v:1":{}}"#));
    assert_eq!(
        read(r#"{"k:{\"b\":1,\"a\":2}":{}}"#),
        read(r#"{"k:{\"a\":2,\"b\":1}":{}}"#)
    );
    assert_eq!(read(r#"{"x:b":{}}"#), FieldSet::new());
}

#[test]
fn what_is_no_element_is_refused() {
    for (text, error) in [
        (r#"{"a":{}}"#, "key must be 2 characters long:"),
        (r#"{"fa":{}}"#, "missing colon: fa"),
        (r#"{"é:":{}}"#, "missing colon: é:"),
        (r#"{"i:x":{}}"#, "strconv.Atoi: parsing \"x\": invalid syntax"),
    ] {
        assert_eq!(
            FieldSet::from_fields_v1(&serde_json::from_str(text).unwrap()).unwrap_err(),
            error
        );
    }
    for value in [
        json!(1),
        json!([]),
        json!({"f:a": 1}),
        json!({"k:[]": {}}),
        json!({"v:{": {}}),
        json!({"v:1 2": {}}),
    ] {
        assert!(FieldSet::from_fields_v1(&value).is_err(), "{value}");
    }
}

#[test]
fn operations() {
    let both = read(r#"{"f:a":{".":{},"f:b":{},"f:c":{}},"f:d":{}}"#);
    let parent = read(r#"{"f:a":{}}"#);
    let child = read(r#"{"f:a":{"f:b":{}}}"#);
    assert_eq!(
        both.difference(&parent),
        read(r#"{"f:a":{"f:b":{},"f:c":{}},"f:d":{}}"#)
    );
    assert_eq!(both.difference(&child), read(r#"{"f:a":{".":{},"f:c":{}},"f:d":{}}"#));
    assert_eq!(both.recursive_difference(&parent), read(r#"{"f:d":{}}"#));
    assert_eq!(both.recursive_difference(&child), both.difference(&child));
    assert_eq!(both.intersection(&parent), parent);
    assert_eq!(both.intersection(&child), child);
    assert_eq!(parent.clone().union(&child), read(r#"{"f:a":{".":{},"f:b":{}}}"#));
    assert_eq!(both.leaves(), read(r#"{"f:a":{"f:b":{},"f:c":{}},"f:d":{}}"#));
    assert!(both.has(&[field("a")]) && both.has(&[field("a"), field("b")]));
    assert!(!child.has(&[field("a")]) && !child.has(&[field("x"), field("b")]) && !both.has(&[]));
}

#[test]
fn paths_are_printed_as_conflicts_print_them() {
    let set = read(
        r#"{"f:a":{"k:{\"b\":1000000,\"a\":\"x\\\"y\"}":{"f:c":{}},"v:true":{},"v:1.5":{},"i:3":{}},"f:b":{".":{},"f:c":{}}}"#,
    );
    let paths: Vec<String> = set
        .paths()
        .iter()
        .map(|it| it.iter().map(ToString::to_string).collect())
        .collect();
    let expected = [
        ".b",
        ".a[=1.5]",
        ".a[=true]",
        ".a[3]",
        ".a[a=\"x\\\"y\",b=1e+06].c",
        ".b.c",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn an_entry_of_another_type_is_no_set() {
    assert!(FieldSet::from_fields_v1(&Value::Bool(true)).is_err());
    assert!(FieldSet::from_fields_v1(&Value::Null).unwrap().is_empty());
}
