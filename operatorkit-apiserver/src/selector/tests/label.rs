//! Label selectors: what a real server answers for an object with the labels `x: "1", y: "2"`, and that what is written is
//! read back.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::selector::LabelSelector;

#[test]
fn selectors_are_read_as_by_the_real_server() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("labels.json")).unwrap();
    let labels = json!({"x": "1", "y": "2"});
    assert!(cases.len() > 60);
    for case in cases {
        let text = case["selector"].as_str().unwrap();
        match LabelSelector::parse(text) {
            Ok(selector) => {
                let matches = selector.matches_labels(labels.as_object().unwrap());
                assert_eq!(json!(matches), case["matches"], "{text}");
            }
            Err(failure) => {
                assert_eq!((failure.code, &*failure.reason), (400, "BadRequest"), "{text}");
                assert_eq!(json!(failure.message), case["error"], "{text}");
            }
        }
    }
}

#[test]
fn the_canonical_form_is_sorted() {
    let selector = LabelSelector::parse("z,!y , b in (c,a,b),a==1,q>2,r<3,n notin (x),m!=1").unwrap();
    assert_eq!(selector.to_string(), "a==1,b in (a,b,c),m!=1,n notin (x),q>2,r<3,!y,z");
}

#[test]
fn objects_are_selectors() {
    let selector = LabelSelector::from_object(&json!({
        "matchLabels": {"a": "b"},
        "matchExpressions": [
            {"key": "c", "operator": "In", "values": ["e", "d"]},
            {"key": "f", "operator": "Exists"},
            {"key": "g", "operator": "DoesNotExist"},
            {"key": "h", "operator": "NotIn", "values": ["i"]},
        ],
    }));
    assert_eq!(selector.unwrap().to_string(), "a=b,c in (d,e),f,!g,h notin (i)");
    let error = |selector| LabelSelector::from_object(&selector).unwrap_err();
    let unknown = json!({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]});
    assert_eq!(error(unknown), "\"Gt\" is not a valid label selector operator");
    let empty = json!({"matchExpressions": [{"key": "a", "operator": "In"}]});
    assert_eq!(
        error(empty),
        "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"
    );
    assert!(LabelSelector::from_object(&json!({})).unwrap().is_empty());
}

fn requirement() -> impl Strategy<Value = String> {
    let key = "([a-z]{1,3}/)?[a-z0-9]([-a-z0-9_.]{0,3}[a-z0-9])?";
    let value = "([a-z0-9]([-a-zA-Z0-9_.]{0,4}[a-z0-9])?)?";
    (key, proptest::collection::vec(value, 1..4), 0..9u8, 0..100i64).prop_map(|(key, values, operator, number)| {
        let (first, all) = (&values[0], values.join(","));
        match operator {
            0 => format!("{key}={first}"),
            1 => format!("{key}=={first}"),
            2 => format!("{key}!={first}"),
            3 => format!("{key} in ({all})"),
            4 => format!("{key} notin ({all})"),
            5 => key,
            6 => format!("!{key}"),
            7 => format!("{key}>{number}"),
            _ => format!("{key}<{number}"),
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(requirements in proptest::collection::vec(requirement(), 0..5)) {
        let selector = LabelSelector::parse(&requirements.join(",")).unwrap();
        let written = selector.to_string();
        let read = LabelSelector::parse(&written).unwrap();
        prop_assert_eq!(read.to_string(), written);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z=!<>(), \\\\é0\u{0}]{0,20}") {
        let _ = LabelSelector::parse(&text);
    }
}
