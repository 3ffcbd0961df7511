//! What equals what at one place.

use serde_json::{Value, json};

use crate::compare::{digest, matches};

/// Of what matches, the digest is that of what was sent: the two walks make the same things equal.
#[track_caller]
fn equal(sent: &Value, observed: &Value) {
    assert!(matches(sent, observed), "{sent} should match {observed}");
    assert_eq!(digest(sent, sent), digest(sent, observed), "{sent} and {observed}");
}

#[track_caller]
fn differ(sent: &Value, observed: &Value) {
    assert!(!matches(sent, observed), "{sent} should not match {observed}");
    assert_ne!(digest(sent, sent), digest(sent, observed), "{sent} and {observed}");
}

#[test]
fn what_was_not_sent_is_not_looked_at() {
    equal(&json!({"a": 1}), &json!({"a": 1, "b": 2}));
    equal(
        &json!({"metadata": {"labels": {"a": "1"}}}),
        &json!({"metadata": {"labels": {"a": "1", "b": "2"}}, "status": {}}),
    );
    differ(&json!({"a": 1, "b": 2}), &json!({"a": 1}));
    differ(&json!({"apiVersion": "v1"}), &json!({"apiVersion": "v2"}));
}

#[test]
fn empty_values_equal_absent_ones() {
    for empty in [json!({}), json!([]), json!(""), json!(null), json!({"b": {}})] {
        equal(&json!({ "a": empty }), &json!({}));
        equal(&json!({ "a": empty }), &json!({"a": null}));
        equal(&json!({"a": {}}), &json!({ "a": empty }));
    }
}

#[test]
fn false_and_zero_do_not_equal_absent_values() {
    differ(&json!({"automountServiceAccountToken": false}), &json!({}));
    differ(&json!({"replicas": 0}), &json!({}));
    differ(&json!({"a": {"b": 0}}), &json!({"a": {}}));
}

#[test]
fn an_empty_value_does_not_equal_a_filled_one() {
    differ(
        &json!({"strategy": {}}),
        &json!({"strategy": {"type": "RollingUpdate"}}),
    );
    differ(
        &json!({"podSelector": {}}),
        &json!({"podSelector": {"matchLabels": {"a": "b"}}}),
    );
    differ(&json!({"egress": []}), &json!({"egress": [{}]}));
    differ(&json!({"a": ""}), &json!({"a": "b"}));
    differ(&json!({"a": null}), &json!({"a": 0}));
}

#[test]
fn in_a_map_of_the_users_an_empty_text_is_a_value() {
    for map in [
        "annotations",
        "data",
        "labels",
        "matchLabels",
        "nodeSelector",
        "selector",
    ] {
        differ(&json!({ map: {"a": "", "b": "c"} }), &json!({ map: {"b": "c"} }));
        equal(&json!({ map: {} }), &json!({}));
    }
}

#[test]
fn a_selector_counts_whole() {
    for selector in ["matchLabels", "nodeSelector", "podSelector", "selector"] {
        differ(
            &json!({ selector: {"a": "b"} }),
            &json!({ selector: {"a": "b", "c": "d"} }),
        );
        equal(
            &json!({ selector: {"a": "b"} }),
            &json!({ selector: {"a": "b", "matchExpressions": []} }),
        );
    }
    equal(&json!({"labels": {"a": "b"}}), &json!({"labels": {"a": "b", "c": "d"}}));
}

#[test]
fn numbers_equal_by_value_but_not_their_text() {
    equal(&json!({"a": 1}), &json!({"a": 1.0}));
    equal(&json!({"a": 0.0}), &json!({"a": 0}));
    equal(&json!({"a": u64::MAX}), &json!({"a": u64::MAX}));
    differ(&json!({"a": 1}), &json!({"a": 1.5}));
    differ(&json!({"a": u64::MAX}), &json!({"a": i64::MAX}));
    differ(&json!({"targetPort": 8080}), &json!({"targetPort": "8080"}));
    differ(&json!({"a": 1}), &json!({"a": true}));
}

#[test]
fn quantities_equal_by_amount_where_the_api_has_them() {
    equal(
        &json!({"resources": {"limits": {"cpu": "1000m"}}}),
        &json!({"resources": {"limits": {"cpu": "1"}}}),
    );
    equal(
        &json!({"resources": {"limits": {"cpu": 1}}}),
        &json!({"resources": {"limits": {"cpu": "1"}}}),
    );
    equal(
        &json!({"emptyDir": {"sizeLimit": "1024Ki"}}),
        &json!({"emptyDir": {"sizeLimit": "1Mi"}}),
    );
    equal(
        &json!({"overhead": {"podFixed": {"cpu": "0.5"}}}),
        &json!({"overhead": {"podFixed": {"cpu": "500m"}}}),
    );
    equal(
        &json!({"target": {"value": "2000m"}}),
        &json!({"target": {"value": "2"}}),
    );
    equal(
        &json!({"limits": [{"min": {"cpu": "1.0"}}]}),
        &json!({"limits": [{"min": {"cpu": "1"}}]}),
    );
    equal(
        &json!({"capacity": {"memory": {"value": "1024Mi"}}}),
        &json!({"capacity": {"memory": {"value": "1Gi"}}}),
    );
    differ(
        &json!({"resources": {"limits": {"cpu": "1000m"}}}),
        &json!({"resources": {"limits": {"cpu": "2"}}}),
    );
    differ(
        &json!({"resources": {"limits": {"cpu": "1000m"}}}),
        &json!({"resources": {"limits": {}}}),
    );
}

#[test]
fn elsewhere_a_quantity_is_text() {
    differ(&json!({"data": {"cpu": "1000m"}}), &json!({"data": {"cpu": "1"}}));
    differ(
        &json!({"data": {"limits": {"cpu": "1000m"}}}),
        &json!({"data": {"limits": {"cpu": "1"}}}),
    );
    differ(
        &json!({"metadata": {"annotations": {"sizeLimit": "1k"}}}),
        &json!({"metadata": {"annotations": {"sizeLimit": "1000"}}}),
    );
    differ(
        &json!({"env": [{"name": "A", "value": "1000m"}]}),
        &json!({"env": [{"name": "A", "value": "1"}]}),
    );
    differ(&json!({"default": "1k"}), &json!({"default": "1000"}));
    differ(
        &json!({"matchLabels": {"divisor": "1k"}}),
        &json!({"matchLabels": {"divisor": "1000"}}),
    );
    differ(&json!({"port": "1e3"}), &json!({"port": "1000"}));
}

#[test]
fn other_types_differ() {
    for (sent, observed) in [
        (json!({"a": {"b": 1}}), json!({"a": "b"})),
        (json!({"a": [1]}), json!({"a": {"0": 1}})),
        (json!({"a": "true"}), json!({"a": true})),
    ] {
        differ(&sent, &observed);
        differ(&observed, &sent);
    }
}
