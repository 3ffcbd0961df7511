//! Objects that were sent to the real server, and what it made of them.

use serde_json::Value;

use super::{Told, causes, expected_causes, version};
use crate::crd::CustomVersion;

/// What a create gives: the code, the warnings, and the object or what is wrong with it.
fn create(version: &CustomVersion, object: &Value) -> (u16, Vec<String>, Value, Vec<Told>) {
    let mut object = object.clone();
    let unknown = match version.decode(&mut object) {
        Ok(unknown) => unknown.into_iter().map(|it| format!("unknown field {it:?}")).collect(),
        Err(failure) => return (failure.code, Vec::new(), failure.message.into(), Vec::new()),
    };
    version.default(&mut object);
    version.prepare_create(&mut object);
    let errors = version.validate_create(&object, Vec::new());
    if errors.is_empty() {
        return (201, unknown, object, Vec::new());
    }
    let found = errors.iter().map(crate::failure::FieldError::cause);
    let found = causes(found.map(|it| (it.field, it.reason.into_owned(), it.message)));
    (422, unknown, Value::Null, found)
}

fn replay(fixture: &str) {
    let groups: Vec<Value> = serde_json::from_str(fixture).expect("a fixture is JSON");
    let mut wrong = Vec::new();
    for group in &groups {
        let version = version(group["kind"].as_str().expect("a kind"), &group["schema"]);
        for (index, case) in group["cases"].as_array().expect("cases").iter().enumerate() {
            let mut sent = case["object"].clone();
            for (name, value) in [("apiVersion", "crd.helpers.example.com/v1"), ("kind", &version.kind)] {
                if sent.get(name).is_none() {
                    sent[name] = value.into();
                }
            }
            let name = sent["metadata"].get("name").is_some();
            if sent.get("metadata").is_none() || sent["metadata"].is_object() && !name {
                sent["metadata"]["name"] = format!("o{index}").into();
            }
            let (code, warnings, object, causes) = create(&version, &sent);
            let answer = &case["answer"];
            let mut expected = (case["code"].clone(), case["warnings"].clone(), expected_causes(answer));
            if code == 400 {
                expected.2.clear();
            }
            let got = (code.into(), warnings.into(), causes);
            let same_object = match code {
                201 => ["spec", "status", "data"]
                    .iter()
                    .all(|it| object.get(it) == answer.get(it)),
                400 => object == answer["message"],
                _ => true,
            };
            if got != expected || !same_object {
                wrong.push(format!(
                    "{} {}\n  is     {got:?} {object}\n  should {expected:?} {answer}",
                    group["name"], case["object"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn values_are_pruned_defaulted_and_refused_as_by_the_real_server() {
    replay(include_str!("fixtures/values.json"));
}

#[test]
fn metadata_are_read_as_by_the_real_server() {
    replay(include_str!("fixtures/meta.json"));
}
