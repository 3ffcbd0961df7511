//! What fixtures cannot show: allocation, conversions, sizes.

use serde_json::{Value, json};

use crate::kinds::{
    autoscaling, event, pod,
    service::allocate::{self, Allocator},
    strategy,
};

#[expect(clippy::needless_pass_by_value, reason = "written with `json!` at each call")]
fn service(spec: Value) -> Value {
    json!({"metadata": {"name": "it", "namespace": "x"}, "spec": spec})
}

fn cluster_ip(service: &Value) -> &str {
    service["spec"]["clusterIP"].as_str().unwrap()
}

#[test]
fn an_address_is_given_once_and_given_back() {
    let mut allocator = Allocator::default();
    let mut first = service(json!({"type": "ClusterIP", "ports": [{"port": 80}]}));
    let mut second = first.clone();
    allocate::on_create(&mut first, &mut allocator)
        .unwrap()
        .commit(&mut allocator);
    let claim = allocate::on_create(&mut second, &mut allocator).unwrap();
    assert_ne!(cluster_ip(&first), cluster_ip(&second));
    claim.revert(&mut allocator);

    let mut taken = service(json!({"type": "ClusterIP", "clusterIP": cluster_ip(&first)}));
    let errors = allocate::on_create(&mut taken, &mut allocator).unwrap_err();
    assert!(
        errors[0].body.ends_with("provided IP is already allocated"),
        "{}",
        errors[0]
    );

    allocator.release(&first);
    let mut taken = service(json!({"type": "ClusterIP", "clusterIP": cluster_ip(&first)}));
    allocate::on_create(&mut taken, &mut allocator).unwrap();
}

#[test]
fn a_node_port_outside_the_range_is_refused_and_nothing_is_taken() {
    let mut allocator = Allocator::default();
    let mut wrong =
        service(json!({"type": "NodePort", "clusterIP": "10.0.0.9", "ports": [{"port": 80, "nodePort": 80}]}));
    let errors = allocate::on_create(&mut wrong, &mut allocator).unwrap_err();
    let says = "Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767";
    assert_eq!(errors[0].body, says);
    let mut right = service(json!({"type": "ClusterIP", "clusterIP": "10.0.0.9"}));
    allocate::on_create(&mut right, &mut allocator).unwrap();
}

#[test]
fn the_same_port_of_two_protocols_has_one_node_port() {
    let mut allocator = Allocator::default();
    let ports = json!([{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]);
    let mut dns = service(json!({"type": "NodePort", "ports": ports}));
    allocate::on_create(&mut dns, &mut allocator).unwrap();
    assert_eq!(dns["spec"]["ports"][0]["nodePort"], dns["spec"]["ports"][1]["nodePort"]);
}

#[test]
fn a_service_that_becomes_an_external_name_gives_its_address_back() {
    let mut allocator = Allocator::default();
    let mut old = service(json!({"type": "ClusterIP", "ports": [{"port": 80}]}));
    allocate::on_create(&mut old, &mut allocator)
        .unwrap()
        .commit(&mut allocator);
    let mut new = service(json!({"type": "ExternalName", "externalName": "a.b"}));
    allocate::on_update(&mut new, &old, &mut allocator)
        .unwrap()
        .commit(&mut allocator);
    let mut next = service(json!({"type": "ClusterIP", "clusterIP": cluster_ip(&old)}));
    allocate::on_create(&mut next, &mut allocator).unwrap();
}

#[test]
fn an_event_is_the_same_in_both_groups() {
    let new = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e", "namespace": "x"}, "regarding": {"kind": "Pod"},
        "note": "n", "reason": "R", "type": "Normal", "action": "A", "eventTime": "2001-01-01T00:00:00.000000Z",
        "reportingController": "a.b/c", "reportingInstance": "i", "deprecatedSource": {}, "deprecatedFirstTimestamp": null,
        "deprecatedLastTimestamp": null,
    });
    let core = event::to_core(&new);
    assert_eq!(core["involvedObject"], json!({"kind": "Pod"}));
    assert_eq!(core["message"], "n");
    assert_eq!(core["reportingComponent"], "a.b/c");
    assert_eq!(event::from_core(&core), new);
}

#[test]
fn an_autoscaler_goes_to_v1_and_back() {
    let v2 = json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "h"},
        "spec": {
            "maxReplicas": 3, "behavior": {"scaleUp": {"policies": []}},
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
                {"type": "Pods", "pods": {}}],
        },
    });
    let v1 = autoscaling::to_v1(&v2);
    assert_eq!(v1["spec"]["targetCPUUtilizationPercentage"], 50);
    assert_eq!(v1["spec"].get("metrics"), None);
    assert_eq!(autoscaling::to_v2(&v1), v2);
}

#[test]
fn what_is_too_large_is_refused() {
    for (resource, field, size) in [
        ("configmaps", "[]", 1024 * 1024 + 1),
        ("secrets", "data", 1024 * 1024 * 4 / 3 + 8),
    ] {
        let mut object = json!({"metadata": {"name": "it", "namespace": "x"}, "data": {"a": "A".repeat(size)}});
        let errors = strategy("", resource).unwrap().before_create(&mut object);
        assert_eq!(
            errors[0].to_string(),
            format!("{field}: Too long: may not be more than 1048576 bytes")
        );
    }
    let mut object =
        json!({"metadata": {"name": "it", "namespace": "x", "annotations": {"a": "x".repeat(256 * 1024)}}});
    let errors = strategy("", "serviceaccounts").unwrap().before_create(&mut object);
    assert_eq!(
        errors[0].to_string(),
        "metadata.annotations: Too long: may not be more than 262144 bytes"
    );
}

#[test]
fn a_pod_is_bound_once() {
    let mut pod = json!({"metadata": {"name": "p"}, "spec": {}, "status": {}});
    let binding = json!({"target": {"kind": "Node", "name": "n"}});
    pod::subresource::bind(&mut pod, &binding, "2001-01-01T00:00:00Z").unwrap();
    assert_eq!(pod["spec"]["nodeName"], "n");
    let again = pod::subresource::bind(&mut pod, &binding, "2001-01-01T00:00:00Z").unwrap_err();
    assert_eq!(again, "pod p is already assigned to node \"n\"");
    assert_eq!(pod::grace_period(&pod, None), 0);
    pod["spec"]["terminationGracePeriodSeconds"] = json!(30);
    assert_eq!(pod::grace_period(&pod, None), 30);
    assert_eq!(pod::grace_period(&pod, Some(-1)), 1);
}

#[test]
fn no_object_makes_a_strategy_panic() {
    let odd = [
        json!(null),
        json!([]),
        json!("x"),
        json!({}),
        json!({"metadata": 5, "spec": [1], "status": "x", "data": 3}),
    ];
    for (group, resource, strategy) in crate::kinds::table::STRATEGIES {
        for value in &odd {
            for other in &odd {
                let (mut new, old) = (value.clone(), other.clone());
                strategy.default_fields(&mut new);
                strategy.admit_create(&mut new);
                let errors = strategy.before_create(&mut new.clone());
                assert!(!errors.is_empty(), "{group} {resource}");
                strategy.before_update(&mut new, &old);
                strategy.before_status_update(&mut new, &old);
                strategy.warnings(&new, Some(&old));
            }
        }
    }
}
