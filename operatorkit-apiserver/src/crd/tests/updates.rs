//! Objects that were changed on the real server, after their schema had been: what is let through, and what is not.

use serde_json::Value;

use super::{crd, expected_causes};
use crate::crd::{CustomVersion, compile, tests::causes};

/// What a create or a change gives: the code, the object, and what is wrong with it.
fn change(version: &CustomVersion, case: &Value) -> (u16, Value, Vec<(String, String, String)>) {
    let mut new = case["object"].clone();
    let old = Some(&case["old"]).filter(|it| it.is_object());
    version.decode(&mut new).expect("it is one");
    version.default(&mut new);
    let status = case["subresource"] == "status";
    let errors = match old {
        None => {
            version.prepare_create(&mut new);
            version.validate_create(&new, Vec::new())
        }
        Some(old) => {
            // What is stored is read by the new schema.
            let mut old = old.clone();
            version.decode(&mut old).expect("it is one");
            version.default(&mut old);
            if status {
                version.prepare_status_update(&mut new, &old);
                version.validate_status_update(&new, &old, Vec::new())
            } else {
                version.prepare_update(&mut new, &old);
                version.validate_update(&new, &old, Vec::new())
            }
        }
    };
    if errors.is_empty() {
        return (if old.is_some() { 200 } else { 201 }, new, Vec::new());
    }
    let found = errors.iter().map(crate::failure::FieldError::cause);
    (
        422,
        Value::Null,
        causes(found.map(|it| (it.field, it.reason.into_owned(), it.message))),
    )
}

#[test]
fn changes_are_let_through_or_not_as_by_the_real_server() {
    let groups: Vec<Value> = serde_json::from_str(include_str!("fixtures/updates.json")).expect("JSON");
    let mut wrong = Vec::new();
    for group in &groups {
        let mut crd = crd(group["kind"].as_str().expect("a kind"), &group["schema"]);
        crd["spec"]["versions"][0]["subresources"] = group["subresources"].clone();
        let version = compile(&crd, "v1").expect("it has the version");
        for case in group["cases"].as_array().expect("cases") {
            let (code, object, found) = change(&version, case);
            let expected = expected_causes(&case["answer"]);
            let same = code == 422 || object == case["answer"];
            if case["code"] != code || found != expected || !same {
                let (name, old, new, to) = (&group["name"], &case["old"], &case["object"], &case["subresource"]);
                wrong.push(format!(
                    "{name} {to} {old} -> {new}\n  is     {code} {found:?} {object}\n  should {} {expected:?} {}",
                    case["code"], case["answer"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
