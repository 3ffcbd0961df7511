//! Which rights are derived, and how they become roles.

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};

use super::{Installation, Needs, Place, objects};

fn needs() -> Needs {
    let mut needs = Needs::default();
    needs.add(Place::Objects, "demo", "things", &["watch", "get"]);
    needs.add(Place::Objects, "", "secrets", &["get", "delete"]);
    needs.add(Place::Objects, "", "configmaps", &["delete", "get"]);
    needs.add(Place::Cluster, "", "nodes", &["get"]);
    needs.add_named(
        Place::Namespace("home".into()),
        "coordination.k8s.io",
        "leases",
        Some("x"),
        &["update"],
    );
    needs
}

fn at(operated: &[&str]) -> Installation {
    Installation {
        name: "app".into(),
        namespace: "home".into(),
        operated: operated.iter().map(|&namespace| namespace.to_owned()).collect(),
    }
}

fn kinds(objects: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let name = |object: &Value| {
        let meta = &object["metadata"];
        format!(
            "{} {}/{}",
            text(&object["kind"]),
            text(&meta["namespace"]),
            text(&meta["name"])
        )
    };
    objects.iter().map(name).collect()
}

#[test]
fn one_cluster_role_where_all_namespaces_are_operated() {
    let objects = objects(&needs(), &at(&[])).unwrap();
    let wanted = [
        "ServiceAccount home/app",
        "ClusterRole -/home:app",
        "ClusterRoleBinding -/home:app",
        "Role home/app",
        "RoleBinding home/app",
    ];
    assert_eq!(kinds(&objects), wanted);
    let rules = json!([
        { "apiGroups": [""], "resources": ["configmaps", "secrets"], "verbs": ["get", "delete"] },
        { "apiGroups": [""], "resources": ["nodes"], "verbs": ["get"] },
        { "apiGroups": ["demo"], "resources": ["things"], "verbs": ["get", "watch"] },
    ]);
    assert_eq!(objects[1]["rules"], rules);
    let subject = json!([{ "kind": "ServiceAccount", "name": "app", "namespace": "home" }]);
    assert_eq!(objects[2]["subjects"], subject);
    let lease = json!([{ "apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "resourceNames": ["x"], "verbs": ["update"] }]);
    assert_eq!(objects[3]["rules"], lease);
}

#[test]
fn a_role_for_each_namespace_and_no_more_than_must_be_for_the_whole_cluster() {
    let objects = objects(&needs(), &at(&["a", "home"])).unwrap();
    let wanted = [
        "ServiceAccount home/app",
        "ClusterRole -/home:app",
        "ClusterRoleBinding -/home:app",
        "Role a/app",
        "RoleBinding a/app",
        "Role home/app",
        "RoleBinding home/app",
    ];
    assert_eq!(kinds(&objects), wanted);
    let nodes = json!([{ "apiGroups": [""], "resources": ["nodes"], "verbs": ["get"] }]);
    assert_eq!(objects[1]["rules"], nodes);
    assert_eq!(objects[3]["rules"].as_array().unwrap().len(), 2);
    assert_eq!(objects[5]["rules"].as_array().unwrap().len(), 3, "the Lease's, too");
}

#[test]
fn what_the_program_says_is_granted_where_its_objects_are() {
    let said = PolicyRule {
        api_groups: Some(vec!["*".into()]),
        resources: Some(vec!["*".into()]),
        verbs: vec!["get".into()],
        ..PolicyRule::default()
    };
    let mut needs = needs();
    needs.say(std::slice::from_ref(&said));
    let said = json!(said);
    let everywhere = objects(&needs, &at(&[])).unwrap();
    assert!(everywhere[1]["rules"].as_array().unwrap().contains(&said));
    let limited = objects(&needs, &at(&["a"])).unwrap();
    assert!(
        !limited[1]["rules"].as_array().unwrap().contains(&said),
        "not in the whole cluster"
    );
    assert!(limited[3]["rules"].as_array().unwrap().contains(&said));
}
