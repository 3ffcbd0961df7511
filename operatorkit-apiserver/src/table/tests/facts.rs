//! The built-in kinds: each object gives the cells of the real server.

use serde_json::{Value, json};

use super::at;
use crate::table::kinds::{cells, default_cells, row_conditions, rows};

fn facts() -> Vec<Value> {
    serde_json::from_str(include_str!("facts.json")).unwrap()
}

#[test]
fn cells_are_those_of_the_real_server() {
    let mut differences = Vec::new();
    let facts = facts();
    for fact in &facts {
        let (group, kind) = (fact["group"].as_str().unwrap(), fact["kind"].as_str().unwrap());
        // A row can depend on its list; the objects of a kind were taken at one moment.
        let is_beside =
            |other: &&Value| other["group"] == group && other["kind"] == kind && other["now"] == fact["now"];
        let list: Vec<Value> = facts
            .iter()
            .filter(is_beside)
            .map(|other| other["object"].clone())
            .collect();
        let rows = rows(group, kind, &list, at(fact["now"].as_str().unwrap()));
        let ours = rows.iter().find(|row| *row.object == fact["object"]).unwrap();
        if json!(ours.cells) != fact["cells"] {
            differences.push(format!(
                "{group} {kind}\n  ours: {}\n  real: {}",
                json!(ours.cells),
                fact["cells"]
            ));
        }
        assert_eq!(ours.conditions.as_ref(), fact.get("conditions"), "{group} {kind}");
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_kind_without_cells_of_its_own_has_the_default() {
    let now = at("2026-01-01T00:00:00Z");
    let role = json!({ "metadata": { "name": "r", "creationTimestamp": "2025-01-01T00:00:00Z" } });
    assert_eq!(cells("rbac.authorization.k8s.io", "Role", &role, now), None);
    assert_eq!(default_cells(&role), [json!("r"), json!("2025-01-01T00:00:00Z")]);
}

#[test]
fn an_empty_object_has_cells_for_every_kind() {
    let now = at("2026-01-01T00:00:00Z");
    for fact in facts() {
        let (group, kind) = (fact["group"].as_str().unwrap(), fact["kind"].as_str().unwrap());
        for object in [
            json!({}),
            json!({ "metadata": [], "spec": 1, "status": "x" }),
            json!(null),
        ] {
            if let Some(cells) = cells(group, kind, &object, now) {
                assert_eq!(cells.len(), fact["cells"].as_array().unwrap().len(), "{group} {kind}");
            }
            assert_eq!(row_conditions(group, kind, &object), None);
        }
    }
}

#[test]
fn flow_schemas_come_in_the_order_in_which_they_match() {
    let schema = |name: &str, precedence: i64| json!({ "metadata": { "name": name }, "spec": { "matchingPrecedence": precedence } });
    let list = [schema("c", 9), schema("b", 1), schema("a", 9)];
    let rows = rows(
        "flowcontrol.apiserver.k8s.io",
        "FlowSchema",
        &list,
        at("2026-01-01T00:00:00Z"),
    );
    assert_eq!(
        rows.iter().map(|row| &row.cells[0]).collect::<Vec<_>>(),
        ["b", "a", "c"]
    );
}

#[test]
fn the_youngest_marked_storage_class_is_the_default_of_a_list() {
    let class = |name: &str, created: &str, mark: &str| {
        let annotations = json!({ "storageclass.kubernetes.io/is-default-class": mark });
        json!({ "metadata": { "name": name, "creationTimestamp": created, "annotations": annotations } })
    };
    let now = at("2026-01-01T00:00:00Z");
    let list = [
        class("old", "2025-01-01T00:00:00Z", "true"),
        class("b", "2025-02-01T00:00:00Z", "true"),
        class("a", "2025-02-01T00:00:00Z", "true"),
        class("unmarked", "2025-03-01T00:00:00Z", "false"),
    ];
    let rows = rows("storage.k8s.io", "StorageClass", &list, now);
    let names: Vec<&Value> = rows.iter().map(|row| &row.cells[0]).collect();
    assert_eq!(names, ["old", "b", "a (default)", "unmarked"]);
}

#[test]
fn jobs_say_how_they_are() {
    let now = at("2026-01-01T00:10:00Z");
    let status = |conditions: Value| {
        let object = json!({ "status": { "conditions": conditions, "startTime": "2026-01-01T00:00:00Z" } });
        cells("batch", "Job", &object, now).unwrap()
    };
    let condition = |kind: &str| json!({ "type": kind, "status": "True" });
    assert_eq!(
        status(json!([])),
        ["", "Running", "0/1", "10m", "<unknown>", "", "", "<none>"]
    );
    for (kinds, shown) in [
        (vec!["Suspended"], "Suspended"),
        (vec!["FailureTarget"], "FailureTarget"),
        (vec!["SuccessCriteriaMet"], "SuccessCriteriaMet"),
        (vec!["FailureTarget", "Failed"], "Failed"),
        (vec!["SuccessCriteriaMet", "Complete"], "Complete"),
    ] {
        assert_eq!(status(kinds.into_iter().map(condition).collect())[1], shown);
    }
}
