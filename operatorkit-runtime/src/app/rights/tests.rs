//! Which rights are derived, and how they become roles.

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};

use kube::core::TypeMeta;

use super::{Installation, Needs, Place, objects, operator::of_resource};
use crate::graph::{Meta, NamedKinds, Outlined, Role};

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

/// What is derived for a resource whose type does not say its kinds.
fn by_name(meta: &'static Meta, kinds: &[(&str, &str)], others: bool) -> Needs {
    let known = kinds.iter().map(|&(api_version, kind)| TypeMeta {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
    });
    let resource = Outlined {
        meta,
        role: Role::Manifest,
        child_kind: None,
        named_kinds: NamedKinds {
            known: known.collect(),
            others,
        },
        reads: Vec::new(),
    };
    let mut needs = Needs::default();
    of_resource(&mut needs, &resource, true);
    needs
}

#[test]
fn rights_by_name_are_those_of_the_kinds_that_are_named() {
    const WEB: Meta = Meta::new("web");
    const ANYWHERE: Meta = Meta::new("web").any_namespace();
    let kinds = [
        ("apps/v1", "Deployment"),
        ("v1", "Service"),
        ("networking.k8s.io/v1", "NetworkPolicy"),
    ];
    let needs = by_name(&WEB, &kinds, false);
    let verbs = ["get", "list", "watch", "create", "patch", "delete"];
    let rule = |group: &str, resource: &str| json!({ "apiGroups": [group], "resources": [resource], "verbs": verbs });
    assert_eq!(
        json!(needs.rules(&[Place::Objects])),
        json!([
            rule("", "services"),
            rule("apps", "deployments"),
            rule("networking.k8s.io", "networkpolicies")
        ])
    );
    assert!(needs.rules(&[Place::Cluster]).is_empty());
    assert_eq!(needs.notes().count(), 0, "all is known");

    let needs = by_name(&ANYWHERE, &kinds[..1], false);
    assert_eq!(
        json!(needs.rules(&[Place::Cluster])),
        json!([rule("apps", "deployments")])
    );
}

#[test]
fn what_is_not_known_of_a_kind_is_told() {
    const WEB: Meta = Meta::new("web");
    let needs = by_name(&WEB, &[("example.com/v1", "Gadget")], true);
    let notes: Vec<_> = needs.notes().collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes[0].starts_with(
            "`web` makes objects of the kind Gadget.example.com, which is taken to be called `gadgets` in paths"
        ),
        "{notes:?}"
    );
    assert!(
        notes[1].starts_with("the kinds of `web` are known only while it runs: add each with `App::rule`"),
        "{notes:?}"
    );
}
