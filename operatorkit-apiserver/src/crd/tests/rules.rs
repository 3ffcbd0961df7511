//! Rules in CEL that were sent to the real server: whether they compile, and what they make of objects.

use serde_json::{Value, json};

use super::{crd, expected_causes};
use crate::crd::{check, compile, definition, tests::causes, validation::pattern};

/// The names that the real server makes up for objects have a number that changes.
fn normal(text: &str) -> String {
    let names = pattern::compile(r"selfType\d+(\.[A-Za-z0-9_@]+)*").expect("an expression");
    names.replace_all(text, "object").into_owned()
}

fn with_rule(fields: &Value, rule: &str) -> Value {
    let mut rules = json!([{ "rule": rule }]);
    if rule.contains('\n') {
        rules[0]["message"] = "m".into();
    }
    let spec = json!({ "type": "object", "properties": fields, "x-kubernetes-validations": rules });
    json!({ "type": "object", "properties": { "spec": spec } })
}

/// Rules that are refused in other words than the real server's, or only here.
const DIFFERENT: [&str; 2] = [
    // The parser expects more than it should.
    "self.i > 1 ? true",
    // Messages of protobuf are not made.
    "google.protobuf.Duration{} == self.d",
];

#[test]
fn rules_compile_or_not_as_on_the_real_server() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/rules.json")).expect("JSON");
    let mut wrong = Vec::new();
    for case in fixture["cases"].as_array().expect("cases") {
        let rule = case["rule"].as_str().expect("a rule");
        if DIFFERENT.contains(&rule) {
            continue;
        }
        let mut crd = crd("Cel", &with_rule(&fixture["fields"], rule));
        definition::defaults(&mut crd);
        definition::prepare_create(&mut crd);
        let found = check(&crd, None).into_iter().map(|it| it.cause());
        let found = causes(found.map(|it| (it.field, it.reason.into_owned(), normal(&it.message))));
        let expected = expected_causes(case);
        let expected = causes(
            expected
                .into_iter()
                .map(|(field, reason, it)| (field, reason, normal(&it))),
        );
        if found != expected {
            let last = |it: &[(String, String, String)]| {
                let messages: Vec<_> = it
                    .iter()
                    .map(|it| it.2.rsplit("}: ").next().unwrap_or_default().to_owned())
                    .collect();
                messages.join(" || ")
            };
            wrong.push(format!(
                "{rule}\n  is     {}\n  should {}",
                last(&found),
                last(&expected)
            ));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is looked up in a value that has no fields is refused in other words than the real server's.
#[test]
fn rules_hold_or_fail_as_on_the_real_server() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/rule_values.json")).expect("JSON");
    let mut wrong = Vec::new();
    for case in fixture["cases"].as_array().expect("cases") {
        let mut schema = fixture["schema"].clone();
        let rules = case["rules"]
            .as_array()
            .expect("rules")
            .iter()
            .map(|it| json!({ "rule": it }));
        schema["properties"]["spec"]["x-kubernetes-validations"] = rules.collect();
        let crd = crd("CelVal", &schema);
        let refused = check(&crd, None);
        let refused = refused.iter().filter(|it| it.field.as_str().starts_with("spec."));
        wrong.extend(refused.map(|it| format!("does not compile: {it}")));
        let version = compile(&crd, "v1").expect("it has the version");
        let mut object = fixture["object"].clone();
        object["apiVersion"] = "crd.helpers.example.com/v1".into();
        object["kind"] = "CelVal".into();
        object["metadata"]["name"] = "o".into();
        version.decode(&mut object).expect("it is one");
        let found = version
            .validate_create(&object, Vec::new())
            .into_iter()
            .map(|it| it.cause());
        let found = causes(found.map(|it| (it.field, it.reason.into_owned(), it.message)));
        let expected = expected_causes(case);
        let more = found
            .iter()
            .filter(|it| !expected.contains(it))
            .map(|it| format!("is     {}", it.2));
        let less = expected
            .iter()
            .filter(|it| !found.contains(it))
            .map(|it| format!("should {}", it.2));
        let differences = more
            .chain(less)
            .filter(|it| !it.ends_with("dyn(self.i).foo == 1") && !it.ends_with("dyn(self.i)[0] == 1"));
        wrong.extend(differences);
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
