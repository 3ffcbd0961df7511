//! The data says what the real server says.

use serde_json::json;

use super::kinds;
use crate::schema::{ListType, MapType, Type};

#[test]
fn every_resource_is_there_with_its_names() {
    let deployments = kinds().resource("apps", "v1", "deployments").unwrap();
    assert_eq!(&*deployments.kind, "Deployment");
    assert_eq!(&*deployments.list_kind, "DeploymentList");
    assert_eq!(&*deployments.singular, "deployment");
    assert_eq!(deployments.api_version(), "apps/v1");
    assert_eq!(deployments.short_names, ["deploy".into()]);
    assert_eq!(deployments.categories, ["all".into()]);
    assert_eq!(deployments.storage_version_hash.as_deref(), Some("8aSe+NMegvE="));
    assert!(deployments.namespaced && deployments.has_verb("deletecollection"));
    let nodes = kinds().resource("", "v1", "nodes").unwrap();
    assert!(!nodes.namespaced);
    assert_eq!(kinds().resources().len(), 72);
    assert_eq!(&*kinds().release().git_version, "v1.37.2");
}

#[test]
fn a_subresource_names_the_kind_that_it_takes() {
    let of = |group, version, plural, name| {
        let sub = kinds()
            .resource(group, version, plural)
            .unwrap()
            .subresource(name)
            .unwrap();
        format!("{}/{} {}", sub.group, sub.version, sub.kind)
    };
    assert_eq!(of("", "v1", "pods", "eviction"), "policy/v1 Eviction");
    assert_eq!(of("", "v1", "pods", "status"), "/v1 Pod");
    assert_eq!(of("apps", "v1", "deployments", "status"), "apps/v1 Deployment");
    assert_eq!(of("apps", "v1", "deployments", "scale"), "autoscaling/v1 Scale");
    assert_eq!(
        of("", "v1", "serviceaccounts", "token"),
        "authentication.k8s.io/v1 TokenRequest"
    );
}

#[test]
fn columns_are_those_of_a_table() {
    let pods = kinds().resource("", "v1", "pods").unwrap();
    let names: Vec<_> = pods.columns.iter().map(|it| (&*it.name, it.priority)).collect();
    let wide = [("IP", 1), ("Node", 1), ("Nominated Node", 1), ("Readiness Gates", 1)];
    let always = [("Name", 0), ("Ready", 0), ("Status", 0), ("Restarts", 0), ("Age", 0)];
    assert_eq!(names, [&always[..], &wide].concat());
    assert_eq!((&*pods.columns[0].type_, &*pods.columns[0].format), ("string", "name"));
}

#[test]
fn a_reference_with_siblings_is_a_copy_with_them() {
    let deployment = kinds().schema("apps", "v1", "Deployment").unwrap();
    let spec = deployment.get().property("spec").unwrap();
    assert_eq!(spec.default, Some(json!({})));
    assert_eq!(spec.name.as_deref(), Some("io.k8s.api.apps.v1.DeploymentSpec"));
    assert_eq!(
        kinds()
            .named("io.k8s.api.apps.v1.DeploymentSpec")
            .unwrap()
            .get()
            .default,
        None
    );
    let strategy = spec.property("strategy").unwrap();
    assert!(strategy.patch.retain_keys && !strategy.patch.merge);
    assert!(strategy.property("rollingUpdate").is_some());
    assert_eq!(spec.property("selector").unwrap().map, MapType::Atomic);
}

#[test]
fn lists_and_formats_are_kept() {
    let container = kinds().named("io.k8s.api.core.v1.Container").unwrap();
    let ports = container.get().property("ports").unwrap();
    assert_eq!(
        ports.list,
        ListType::Map(vec!["containerPort".into(), "protocol".into()])
    );
    assert_eq!(ports.patch.merge_key.as_deref(), Some("containerPort"));
    assert!(ports.patch.merge);
    let protocol = ports.items().unwrap().property("protocol").unwrap();
    assert_eq!(protocol.default, Some(json!("TCP")));
    assert!(
        protocol
            .rules
            .as_ref()
            .is_some_and(|rules| rules.enumeration.contains(&json!("SCTP")))
    );
    let secret = kinds().schema("", "v1", "Secret").unwrap();
    assert_eq!(
        secret
            .get()
            .property("data")
            .unwrap()
            .additional()
            .unwrap()
            .format
            .as_deref(),
        Some("byte")
    );
    let port = kinds().named("io.k8s.api.core.v1.ServicePort").unwrap();
    assert_eq!(port.get().property("targetPort").unwrap().type_, Type::IntOrString);
    assert_eq!(container.get().required, ["name".into()]);
}

#[test]
fn a_type_may_contain_itself() {
    let props = kinds()
        .named("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps")
        .unwrap();
    let not = props.get().property("not").unwrap();
    assert_eq!(not.property("not").unwrap().name, not.name);
}

#[test]
fn what_is_no_resource_has_a_schema_too() {
    for (group, version, kind) in [
        ("", "v1", "DeleteOptions"),
        ("apps", "v1", "DeleteOptions"),
        ("autoscaling", "v1", "Scale"),
        ("", "v1", "Status"),
        ("policy", "v1", "Eviction"),
        ("authentication.k8s.io", "v1", "TokenRequest"),
        ("", "v1", "Binding"),
        ("", "v1", "PodList"),
    ] {
        assert!(
            kinds().schema(group, version, kind).is_some(),
            "{group}/{version} {kind}"
        );
    }
    assert_eq!(kinds().schema("", "v1", "Nothing").map(|_| ()), None);
    assert!(kinds().object_meta().get().property("managedFields").is_some());
}
