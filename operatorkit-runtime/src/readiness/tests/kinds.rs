//! Kinds that run no Pods.

use serde_json::{Value, json};

use super::{
    Is::{Failed, Pending, Ready},
    check, condition, object, table,
};

#[test]
fn service() {
    let balanced = |ip: &str| json!({"type": "LoadBalancer", "clusterIP": ip});
    let address = json!({"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}});
    table(
        "v1/Service",
        &[
            (
                json!({"type": "ClusterIP", "clusterIP": "10.0.0.1"}),
                json!({"loadBalancer": {}}),
                Ready,
            ),
            (json!({"clusterIP": "None"}), json!({}), Ready),
            (json!({"type": "ExternalName"}), json!({}), Ready),
            (balanced(""), json!({}), Pending("NoAddress")),
            (balanced("10.0.0.1"), json!({"loadBalancer": {}}), Pending("NoAddress")),
            (
                balanced("10.0.0.1"),
                json!({"loadBalancer": {"ingress": []}}),
                Pending("NoAddress"),
            ),
            (balanced(""), address.clone(), Pending("NoAddress")),
            (balanced("10.0.0.1"), address, Ready),
            (
                json!({"type": "LoadBalancer", "clusterIP": "10.0.0.1", "externalIPs": ["192.0.2.1"]}),
                json!({}),
                Ready,
            ),
        ],
    );
}

#[test]
fn volumes() {
    table(
        "v1/PersistentVolumeClaim",
        &[
            (json!({}), json!({"phase": "Bound"}), Ready),
            (json!({}), json!({"phase": "Pending"}), Pending("NotBound")),
            (json!({}), json!({}), Pending("NotBound")),
            (json!({}), json!({"phase": "Lost"}), Failed("ClaimLost")),
        ],
    );
    table(
        "v1/PersistentVolume",
        &[
            (json!({}), json!({"phase": "Available"}), Ready),
            (json!({}), json!({"phase": "Bound"}), Ready),
            (json!({}), json!({"phase": "Released"}), Ready),
            (json!({}), json!({"phase": "Pending"}), Pending("NotAvailable")),
            (json!({}), json!({"phase": "Failed"}), Failed("VolumeFailed")),
        ],
    );
}

#[test]
fn definitions_of_kinds() {
    let with = |conditions: &[Value]| json!({ "conditions": conditions });
    let accepted = condition("NamesAccepted", "True", "NoConflicts");
    table(
        "apiextensions.k8s.io/v1/CustomResourceDefinition",
        &[
            (json!({}), json!({}), Pending("Installing")),
            (json!({}), with(std::slice::from_ref(&accepted)), Pending("Installing")),
            (
                json!({}),
                with(&[accepted.clone(), condition("Established", "False", "Installing")]),
                Pending("Installing"),
            ),
            (
                json!({}),
                with(&[
                    accepted.clone(),
                    condition("Established", "True", "InitialNamesAccepted"),
                ]),
                Ready,
            ),
            (
                json!({}),
                with(&[condition("NamesAccepted", "False", "PluralConflict")]),
                Failed("PluralConflict"),
            ),
            (
                json!({}),
                with(&[accepted, condition("Established", "False", "NotAccepted")]),
                Failed("NotAccepted"),
            ),
        ],
    );
    table(
        "apiregistration.k8s.io/v1/APIService",
        &[
            (json!({}), json!({}), Pending("NotAvailable")),
            (
                json!({}),
                with(&[condition("Available", "False", "MissingEndpoints")]),
                Pending("NotAvailable"),
            ),
            (json!({}), with(&[condition("Available", "True", "Passed")]), Ready),
        ],
    );
}

#[test]
fn what_has_nothing_to_wait_for() {
    for kind in [
        "v1/ConfigMap",
        "v1/Secret",
        "v1/ServiceAccount",
        "v1/Namespace",
        "batch/v1/CronJob",
        "policy/v1/PodDisruptionBudget",
        "networking.k8s.io/v1/Ingress",
        "networking.k8s.io/v1/NetworkPolicy",
        "rbac.authorization.k8s.io/v1/ClusterRole",
        "example.com/v1/Deployment",
    ] {
        check(&object(kind, &json!({}), &json!({})), Ready);
        check(&object(kind, &json!({}), &json!(null)), Ready);
    }
}
