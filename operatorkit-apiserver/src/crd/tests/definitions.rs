//! CRDs that were sent to the real server, and what it said.

use serde_json::Value;

use super::expected_causes;
use crate::crd::{check, definition, tests::causes};

fn found(crd: &Value, old: Option<&Value>) -> Vec<(String, String, String)> {
    let found = check(crd, old).into_iter().map(|it| it.cause());
    causes(found.map(|it| (it.field, it.reason.into_owned(), it.message)))
}

#[test]
fn definitions_are_refused_as_by_the_real_server() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("fixtures/definitions.json")).expect("JSON");
    let mut wrong = Vec::new();
    for case in &cases {
        let mut crd = case["crd"].clone();
        definition::defaults(&mut crd);
        definition::prepare_create(&mut crd);
        let found = found(&crd, None);
        let expected = expected_causes(&case["answer"]);
        let mut warnings = if found.is_empty() {
            definition::warnings(&crd, None)
        } else {
            Vec::new()
        };
        warnings.sort();
        let mut sent: Vec<String> = serde_json::from_value(case["warnings"].clone()).expect("warnings");
        sent.sort();
        let same = case["code"] != 201
            || crd["status"]["storedVersions"] == case["answer"]["status"]["storedVersions"]
                && crd["spec"]["names"] == case["answer"]["spec"]["names"]
                && crd["spec"]["conversion"] == case["answer"]["spec"]["conversion"];
        if found != expected || warnings != sent || !same {
            wrong.push(format!(
                "{}\n  is     {found:?} {warnings:?}\n  should {expected:?} {sent:?}",
                case["name"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn changes_are_refused_as_by_the_real_server() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("fixtures/definition_updates.json")).expect("JSON");
    let mut wrong = Vec::new();
    for case in &cases {
        let mut crd = case["crd"].clone();
        definition::defaults(&mut crd);
        definition::prepare_update(&mut crd, &case["old"]);
        let found = found(&crd, Some(&case["old"]));
        let expected = expected_causes(&case["answer"]);
        let same = case["code"] != 200
            || crd["status"] == case["answer"]["status"]
                && crd["metadata"]["generation"] == case["answer"]["generation"];
        if found != expected || !same {
            wrong.push(format!("{}\n  is     {found:?}\n  should {expected:?}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
