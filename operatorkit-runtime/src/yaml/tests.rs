//! Texts filled from typed objects, and what errors say.

use k8s_openapi::api::core::v1::Secret;
use serde_json::{from_value, json};

use super::Yaml;
use crate::error::Marks;

fn secret(name: &str) -> Secret {
    let object = json!({ "metadata": { "name": name }, "stringData": { "password": "hunter2" }, "type": "own" });
    from_value(object).unwrap()
}

#[test]
fn the_fields_of_the_object_the_stable_name_and_more() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: \"{{ child_name('web') }}\" }\ndata: { a: \"{{ type }}\", b: \"{{ kind }}\", c: \"{{ more }}\" }\n";
    let yaml = Yaml::parse("web.yaml", text).unwrap();
    let long = "x".repeat(70);
    let objects = yaml
        .fill_with(&secret(&long), &json!({ "more": "m", "kind": "other" }))
        .unwrap();
    let [object] = &objects[..] else { panic!("{objects:?}") };
    assert_eq!(object.types.as_ref().unwrap().kind, "ConfigMap");
    assert_eq!(object.metadata.name, Some(crate::record::child_name(&long, "web")));
    assert_eq!(object.data["data"], json!({ "a": "own", "b": "other", "c": "m" }));
}

#[test]
fn errors_are_permanent_and_tell_no_value() {
    let text = |line: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: it\n{line}\n");
    for (line, part) in [
        (
            "data: { a: \"{{ stringData.absent }}\" }",
            "web.yaml:5: `{{ stringData.absent }}`: there is no such value",
        ),
        (
            "  labels: \"{{ stringData.password }}\"",
            "web.yaml: the `metadata` of ConfigMap are not as they should be",
        ),
        (
            "data: { a: \"{{ stringData.password + 1 }}\" }",
            "web.yaml:5: `{{ stringData.password + 1 }}`: invalid operation",
        ),
    ] {
        let yaml = Yaml::parse("web.yaml", &text(line)).unwrap();
        let err = yaml.fill(&secret("x")).unwrap_err();
        let said = format!("{err:#}");
        assert!(said.starts_with(part), "{said}");
        assert!(
            !said.contains("hunter2") && !format!("{err:?}").contains("hunter2"),
            "{err:?}"
        );
        let marks = Marks::of(&err);
        assert!(marks.permanent);
        assert_eq!(marks.reason.as_deref(), Some("TemplateFailed"));
    }
}

static WRONG: Yaml = Yaml::included(&[("a.yaml", "a: ["), ("b.yaml", "")]);

#[test]
fn all_that_is_wrong_is_said() {
    let err = Yaml::parse("web.yaml", "kind: 3\nmetadata: { name: it }\n").unwrap_err();
    assert_eq!(
        err.to_string(),
        "web.yaml:1: `apiVersion` is missing: write `apiVersion: apps/v1` or the like; web.yaml:1: `kind` is a text: write `kind: Deployment` or the like"
    );
    let err = WRONG.fill(&secret("x")).unwrap_err();
    assert_eq!(
        err.to_string(),
        "a.yaml:1: unclosed bracket '['; b.yaml: there is no object in it"
    );
    assert!(WRONG.kinds().is_empty());
}

#[test]
fn files_in_their_order_and_kinds_once() {
    static TWO: Yaml = Yaml::included(&[
        (
            "a.yaml",
            "apiVersion: v1\nkind: Service\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: b }",
        ),
        ("b.yaml", "apiVersion: v1\nkind: Service\nmetadata: { name: c }"),
    ]);
    let names: Vec<_> = TWO
        .fill(&secret("x"))
        .unwrap()
        .into_iter()
        .filter_map(|object| object.metadata.name)
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
    let kinds: Vec<_> = TWO.kinds().into_iter().map(|kind| kind.kind).collect();
    assert_eq!(kinds, ["Service", "Secret"]);
    assert!(TWO.names_all_kinds());
}
