//! Answers of a real API server (1.37.2), word for word, and what is made of them.

use kube::core::Status;

use super::*;
use crate::cluster::{
    Kind,
    target::{Target, Verb},
};

macro_rules! answer {
    ($name:literal) => {
        serde_json::from_str::<Status>(include_str!(concat!("answers/", $name, ".json"))).unwrap()
    };
}

fn kind(group: &str, kind: &str) -> Kind {
    let plural = format!("{}s", kind.to_lowercase());
    Kind {
        group: group.into(),
        version: "v1".into(),
        kind: kind.into(),
        plural,
        namespaced: true,
    }
}

fn failure(status: &Status, kind: &Kind) -> Failure {
    Failure::answered(Target::of(Verb::Patch, kind, Some("ns"), "x"), status)
}

fn class(status: &Status) -> Class {
    failure(status, &kind("", "ConfigMap")).0.class
}

#[test]
fn each_answer_is_told_apart() {
    let rows = [
        (answer!("create_existing"), Class::Conflict),
        (answer!("post_existing"), Class::AlreadyExists),
        (answer!("update_wrong_uid"), Class::OtherUid),
        (answer!("dep_status_uid"), Class::OtherUid),
        (answer!("update_absent"), Class::Conflict),
        (answer!("conflict_noforce2"), Class::Conflict),
        (answer!("del_wrong_uid"), Class::OtherUid),
        (answer!("jsonpatch_test"), Class::TestFailed),
        (answer!("jsonpatch_garbage"), Class::BadRequest),
        (answer!("fin_add_deleting"), Class::Terminating),
        (answer!("get_absent"), Class::NotFound),
        (answer!("get_unserved_core"), Class::NotServed),
        (answer!("subresource_unserved"), Class::NotServed),
        (
            Status::failure("404 page not found", "").with_code(404),
            Class::NotServed,
        ),
        (answer!("ns_absent"), Class::NamespaceNotFound),
        (answer!("ns_term_create"), Class::NamespaceTerminating),
        (answer!("forbidden"), Class::Forbidden),
        (answer!("unauthorized"), Class::Unauthorized),
        (answer!("dep_invalid"), Class::Invalid),
        (answer!("dep_unknown"), Class::NotInSchema),
        (answer!("dup"), Class::NotInSchema),
        (answer!("secret_invalid"), Class::NotInSchema),
        (
            Status::failure("etcdserver: request timed out", "").with_code(500),
            Class::Server(None),
        ),
        (
            Status::failure("too old resource version", "Expired").with_code(410),
            Class::Expired,
        ),
    ];
    for (status, wanted) in rows {
        assert_eq!(class(&status), wanted, "{}", status.message);
    }
}

#[test]
fn fields_that_cannot_be_changed_are_told_from_all_that_is_wrong_besides() {
    let rows = [
        (
            answer!("immutable_config_map"),
            "data: field is immutable when `immutable` is set",
        ),
        (answer!("immutable_job"), "spec.template: field is immutable"),
        (answer!("immutable_deployment"), "spec.selector: field is immutable"),
        (
            answer!("immutable_stateful_set"),
            "spec.serviceName: field is immutable",
        ),
        (
            answer!("immutable_service"),
            "spec.clusterIPs[0]: may not change once set",
        ),
        (
            answer!("immutable_priority_class"),
            "value: may not be changed in an update",
        ),
        (
            answer!("immutable_storage_class"),
            "provisioner: field is immutable, parameters: field is immutable",
        ),
        (
            answer!("immutable_claim"),
            "spec: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
        ),
        (
            answer!("immutable_by_rule"),
            "spec.b: b is immutable, spec.c: Value is immutable: make a new one, spec.a: failed rule: self == oldSelf",
        ),
    ];
    for (status, wanted) in rows {
        let failure = failure(&status, &kind("", "ConfigMap"));
        assert!(failure.is_immutable() && failure.is_permanent(), "{}", status.message);
        assert_eq!(failure.0.message, format!("the API server refuses to change {wanted}"));
    }
    let pod = failure(&answer!("immutable_pod"), &kind("", "Pod"));
    assert!(pod.is_immutable());
    assert!(!pod.to_string().contains("hunter"), "the server shows values: {pod}");
    let secret = failure(&answer!("immutable_secret_type"), &kind("", "Secret"));
    assert!(secret.is_immutable() && failure(&answer!("immutable_secret"), &kind("", "Secret")).is_immutable());
    assert!(!secret.to_string().contains("hunter"), "{secret}");
    assert_eq!(class(&answer!("immutable_job_mixed")), Class::Invalid);
}

#[test]
fn what_cannot_get_better_by_itself_is_permanent() {
    for status in [
        answer!("dep_invalid"),
        answer!("dup"),
        answer!("dep_unknown"),
        answer!("jsonpatch_garbage"),
    ] {
        assert!(
            failure(&status, &kind("", "ConfigMap")).is_permanent(),
            "{}",
            status.message
        );
    }
    for status in [
        answer!("update_wrong_uid"),
        answer!("jsonpatch_test"),
        answer!("fin_add_deleting"),
        answer!("ns_term_create"),
        answer!("forbidden"),
    ] {
        assert!(
            !failure(&status, &kind("", "ConfigMap")).is_permanent(),
            "{}",
            status.message
        );
    }
}

#[test]
fn it_says_what_happened_where_and_what_to_do() {
    let forbidden = failure(&answer!("forbidden"), &kind("apps", "Deployment"));
    let said = "patch Deployment.apps ns/x: deployments.apps \"d\" is forbidden: User \"nobody\" cannot patch resource";
    assert!(forbidden.to_string().starts_with(said), "{forbidden}");
    assert_eq!(
        forbidden.remedy().unwrap(),
        "grant `patch` on `deployments.apps` to the operator's service account"
    );
    assert_eq!(forbidden.reason(), "Forbidden");

    let unserved = failure(&answer!("get_unserved_core"), &kind("demo.example.com", "WebApp"));
    let remedy = "install the CustomResourceDefinition `webapps.demo.example.com`, with this version served";
    assert!(unserved.remedy().unwrap().starts_with(remedy));
    assert!(
        failure(&answer!("dep_invalid"), &kind("apps", "Deployment"))
            .to_string()
            .contains("spec.selector: Required value")
    );
}

#[test]
fn an_apply_that_may_not_create_names_create() {
    let mut status = answer!("forbidden");
    status.message = status.message.replace("cannot patch", "cannot create");
    let failure = failure(&status, &kind("apps", "Deployment"));
    assert!(failure.remedy().unwrap().starts_with("grant `create` on"));
}

#[test]
fn values_of_a_secret_are_never_told() {
    let leaks = [
        answer!("secret_wrong_type"),
        answer!("secret_wrong_type2"),
        answer!("secret_bad_key"),
        answer!("secret_jsonpatch2"),
        answer!("secret_invalid"),
        answer!("secret_post_badjson"),
    ];
    assert!(
        leaks.iter().filter(|status| status.message.contains("hunter2")).count() >= 4,
        "the answers do hold it"
    );
    for status in leaks {
        let failure = failure(&status, &kind("", "Secret"));
        let said = format!("{failure} {failure:?} {:?}", failure.remedy());
        assert!(!said.contains("hunter2"), "{said}");
        assert!(said.contains("patch Secret ns/x"), "{said}");
    }
    let odd = serde_json::from_str::<u8>("\"hunter2\"").unwrap_err();
    assert!(odd.to_string().contains("hunter2"));
    let target = Target::of(Verb::Get, &kind("", "Secret"), Some("ns"), "x");
    assert!(!Failure::undecoded(target, &odd).to_string().contains("hunter2"));
}

#[test]
fn what_was_sent_is_not_repeated_for_other_kinds_either() {
    for status in [
        answer!("secret_wrong_type"),
        answer!("secret_wrong_type2"),
        answer!("secret_jsonpatch2"),
    ] {
        let said = failure(&status, &kind("demo", "Vault")).to_string();
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[test]
fn texts_are_bounded_and_on_one_line() {
    let status = Status::failure(&"ä\n".repeat(5000), "").with_code(500);
    let text = failure(&status, &kind("", "ConfigMap")).0.message.clone();
    assert!(text.len() <= 1024 && text.ends_with('…') && !text.contains('\n'));
}

#[test]
fn the_server_says_how_long_to_wait() {
    let text = r#"{"code":429,"reason":"TooManyRequests","message":"slow","details":{"retryAfterSeconds":3}}"#;
    let failure = failure(&serde_json::from_str(text).unwrap(), &kind("", "ConfigMap"));
    assert_eq!(failure.retry_after(), Some(Duration::from_secs(3)));
    assert!(!failure.is_permanent());
}
