//! Facts from a real server of Kubernetes 1.37: a role `r1` in `serve-h` bound to `serve-bob`, and two bindings without a role.

use serde_json::{Value, json};

use super::{Policy, aggregate, bootstrap};
use crate::{
    access::{Attributes, Authorize, User, review},
    failure::Failure,
};

fn object(kind: &str, namespace: Option<&str>, name: &str, mut rest: Value) -> Value {
    rest["kind"] = kind.into();
    rest["metadata"] = json!({"name": name});
    if let Some(namespace) = namespace {
        rest["metadata"]["namespace"] = namespace.into();
    }
    rest
}

#[expect(clippy::needless_pass_by_value, reason = "`json!` gives values")]
fn role(name: &str, rules: Value) -> Value {
    object("Role", Some("serve-h"), name, json!({"rules": rules}))
}

fn binding(name: &str, kind: &str, role: &str) -> Value {
    let reference = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role});
    let subjects = json!([{"kind": "ServiceAccount", "name": "sa1"}, {"kind": "User", "name": "serve-bob"}]);
    object(
        "RoleBinding",
        Some("serve-h"),
        name,
        json!({"roleRef": reference, "subjects": subjects}),
    )
}

fn policy(verbs: &[&str]) -> Policy {
    let mut policy = Policy::new();
    bootstrap().iter().for_each(|it| policy.apply(it));
    policy.apply(&role(
        "r1",
        json!([
            {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]},
            {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles", "rolebindings"], "verbs": verbs},
        ]),
    ));
    policy.apply(&binding("b1", "Role", "r1"));
    policy
}

fn bob() -> User {
    User::new("serve-bob", Vec::<String>::new())
}

fn message(result: Result<(), Failure>) -> String {
    result.unwrap_err().message
}

#[test]
fn a_denial_names_user_verb_resource_and_scope() {
    let policy = policy(&["get"]);
    let pods = Attributes::resource("list", "", "pods").in_namespace("serve-h");
    assert_eq!(
        message(policy.check(&bob(), &pods)),
        r#"pods is forbidden: User "serve-bob" cannot list resource "pods" in API group "" in the namespace "serve-h""#
    );
    let log = Attributes::resource("get", "", "pods")
        .on_subresource("log")
        .named("x")
        .in_namespace("default");
    assert_eq!(
        message(policy.check(&bob(), &log)),
        r#"pods "x" is forbidden: User "serve-bob" cannot get resource "pods/log" in API group "" in the namespace "default""#
    );
    let mut strange = bob();
    strange.name = "bob<x>".into();
    assert_eq!(
        message(policy.check(&strange, &Attributes::resource("list", "apps", "deployments"))),
        r#"deployments.apps is forbidden: User "bob&lt;x&gt;" cannot list resource "deployments" in API group "apps" at the cluster scope"#
    );
}

#[test]
fn a_denied_path_has_empty_details() {
    let failure = policy(&[])
        .check(&User::anonymous(), &Attributes::path("get", "/api"))
        .unwrap_err();
    assert_eq!(
        failure.status(),
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": "Forbidden", "details": {},
            "message": r#"forbidden: User "system:anonymous" cannot get path "/api""#, "code": 403,
        })
    );
}

#[test]
fn missing_roles_are_told_with_the_denial() {
    let mut policy = policy(&["get"]);
    policy.apply(&binding("b2", "Role", "gone"));
    policy.apply(&binding("b3", "ClusterRole", "gone"));
    let pods = Attributes::resource("list", "", "pods").in_namespace("serve-h");
    assert_eq!(
        message(policy.check(&bob(), &pods)),
        concat!(
            r#"pods is forbidden: User "serve-bob" cannot list resource "pods" in API group "" in the namespace "serve-h": "#,
            r#"rbac: RBAC: [role.rbac.authorization.k8s.io "gone" not found, "#,
            r#"clusterrole.rbac.authorization.k8s.io "gone" not found]"#
        )
    );
    policy.remove(&binding("b2", "Role", "gone"));
    assert!(
        message(policy.check(&bob(), &pods))
            .ends_with(r#"rbac: RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found"#)
    );
}

#[test]
fn everybody_reads_versions_and_who_is_known_discovers() {
    let policy = policy(&[]);
    assert!(
        policy
            .authorize(&User::anonymous(), &Attributes::path("get", "/version"))
            .allowed
    );
    assert!(
        !policy
            .authorize(&User::anonymous(), &Attributes::path("get", "/apis/apps"))
            .allowed
    );
    assert!(policy.authorize(&bob(), &Attributes::path("get", "/apis/apps")).allowed);
    assert!(
        policy
            .authorize(&User::admin(), &Attributes::resource("delete", "x", "y"))
            .allowed
    );
}

#[test]
fn the_view_role_gathers_what_is_labelled_for_it() {
    let all = bootstrap();
    let named = |name: &str| {
        all.iter()
            .find(|it| it["kind"] == "ClusterRole" && it["metadata"]["name"] == name)
            .unwrap()
    };
    let rules = |name: &str| named(name)["rules"].as_array().unwrap().len();
    assert!(rules("view") > 5 && rules("edit") > rules("view") && rules("admin") > rules("edit"));
    let mut roles: Vec<_> = all.iter().filter(|it| it["kind"] == "ClusterRole").collect();
    assert_eq!(aggregate(named("admin"), &roles), None);
    let labels = json!({"rbac.authorization.k8s.io/aggregate-to-view": "true"});
    let mut mine = json!({"kind": "ClusterRole", "metadata": {"name": "mine", "labels": labels}});
    mine["rules"] = json!([{"apiGroups": ["x.dev"], "resources": ["ys"], "verbs": ["get"]}]);
    roles.push(&mine);
    let rules = aggregate(named("view"), &roles).unwrap();
    assert_eq!(rules.iter().filter(|it| it["apiGroups"][0] == "x.dev").count(), 1);
}

#[test]
fn nobody_grants_what_they_do_not_have() {
    let mut policy = policy(&["create", "get", "list"]);
    policy.apply(&binding("b3", "ClusterRole", "gone"));
    let wanted = role(
        "e2",
        json!([
            {"apiGroups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list", "create"]},
            {"apiGroups": ["apps"], "resources": ["deployments"], "resourceNames": ["x"], "verbs": ["get"]},
        ]),
    );
    assert_eq!(
        message(policy.check_escalation(&bob(), &wanted, None)),
        concat!(
            "roles.rbac.authorization.k8s.io \"e2\" is forbidden: user \"serve-bob\" (groups=[\"system:authenticated\"]) is ",
            "attempting to grant RBAC permissions not currently held:\n",
            "{APIGroups:[\"\"], Resources:[\"configmaps\"], Verbs:[\"create\"]}\n",
            "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"list\" \"create\"]}\n",
            "{APIGroups:[\"apps\"], Resources:[\"deployments\"], ResourceNames:[\"x\"], Verbs:[\"get\"]}",
            "; resolution errors: [roles.rbac.authorization.k8s.io \"gone\" not found]"
        )
    );
    assert_eq!(policy.check_escalation(&User::admin(), &wanted, None), Ok(()));
}

#[test]
fn a_binding_needs_the_rules_of_its_role() {
    let policy = policy(&["create"]);
    let check = |name: &str| policy.check_escalation(&bob(), &binding("e2", "ClusterRole", name), None);
    assert_eq!(check("system:discovery"), Ok(()));
    assert_eq!(
        message(check("system:kube-dns")),
        concat!(
            "rolebindings.rbac.authorization.k8s.io \"e2\" is forbidden: user \"serve-bob\" (groups=[\"system:authenticated\"]) is ",
            "attempting to grant RBAC permissions not currently held:\n",
            "{APIGroups:[\"\"], Resources:[\"endpoints\"], Verbs:[\"list\" \"watch\"]}\n",
            "{APIGroups:[\"\"], Resources:[\"services\"], Verbs:[\"list\" \"watch\"]}"
        )
    );
    assert_eq!(
        message(check("nope")),
        "rolebindings.rbac.authorization.k8s.io \"nope\" not found"
    );
}

#[test]
fn who_may_escalate_and_bind_needs_no_rules() {
    let policy = policy(&["*"]);
    let wanted = role("e1", json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]));
    assert_eq!(policy.check_escalation(&bob(), &wanted, None), Ok(()));
    let weak = self::policy(&["create"]);
    let mut collected = wanted.clone();
    collected["metadata"]["finalizers"] = json!(["x"]);
    assert_eq!(weak.check_escalation(&bob(), &wanted, Some(&collected)), Ok(()));
}

#[test]
fn rules_match_subresources_names_and_paths() {
    let rule = |value: Value| serde_json::from_value::<super::PolicyRule>(value).unwrap();
    let any_scale = rule(json!({"apiGroups": ["apps"], "resources": ["*/scale"], "verbs": ["get"]}));
    let scale = Attributes::resource("get", "apps", "deployments").on_subresource("scale");
    assert!(any_scale.allows(&scale));
    assert!(!any_scale.allows(&Attributes::resource("get", "apps", "deployments")));
    let named = rule(json!({"apiGroups": [""], "resources": ["secrets"], "resourceNames": ["a"], "verbs": ["*"]}));
    assert!(named.allows(&Attributes::resource("get", "", "secrets").named("a")));
    assert!(!named.allows(&Attributes::resource("list", "", "secrets")));
    let path = rule(json!({"nonResourceURLs": ["/logs/*"], "verbs": ["get"], "resources": null}));
    assert!(path.allows(&Attributes::path("get", "/logs/a")));
    assert!(!path.allows(&Attributes::path("get", "/log")));
}

#[test]
fn a_review_says_which_binding_allows_it() {
    let policy = policy(&["get"]);
    let attributes = json!({"namespace": "serve-h", "verb": "get", "resource": "configmaps", "name": "x"});
    let asked = json!({"kind": "SubjectAccessReview", "spec": {"user": "serve-bob", "resourceAttributes": attributes}});
    let answer = review::subject_access(asked, &policy).unwrap();
    assert_eq!(
        answer["status"],
        json!({"allowed": true, "reason": r#"RBAC: allowed by RoleBinding "b1/serve-h" of Role "r1" to User "serve-bob""#})
    );
    let own = json!({"spec": {"resourceAttributes": {"verb": "get", "resource": "secrets"}}});
    let answer = review::self_subject_access(own, &User::admin(), &policy).unwrap();
    assert_eq!(answer["status"], json!({"allowed": true}));
}

#[test]
fn a_bad_review_is_refused_in_the_real_words() {
    let policy = policy(&[]);
    let failure = review::subject_access(json!({"metadata": {"name": "x"}, "spec": {}}), &policy).unwrap_err();
    assert_eq!(
        failure.message,
        concat!(
            ".authorization.k8s.io \"\" is invalid: [spec: Invalid value: null: exactly one of nonResourceAttributes or ",
            "resourceAttributes must be specified, spec.user: Invalid value: \"\": at least one of user or group must be ",
            "specified, metadata: Invalid value: {\"name\":\"x\"}: must be empty]"
        )
    );
    let both = json!({"spec": {"resourceAttributes": {"verb": "get"}, "nonResourceAttributes": {"path": "/a", "verb": "get"}}});
    let failure = review::self_subject_access(both, &bob(), &policy).unwrap_err();
    assert!(
        failure
            .message
            .contains(r#"spec: Invalid value: {"Path":"/a","Verb":"get"}: exactly one"#)
    );
    let other = json!({"spec": {"user": "a", "resourceAttributes": {"namespace": "other", "verb": "get"}}});
    let failure = review::local_subject_access(other, "serve-h", &policy).unwrap_err();
    let expected = ".authorization.k8s.io \"\" is invalid: spec.resourceAttributes.namespace: Invalid value: \"other\": must match metadata.namespace";
    assert_eq!(failure.message, expected);
}

#[test]
fn all_rules_of_a_user_in_a_namespace() {
    let policy = policy(&["*"]);
    let asked = json!({"spec": {"namespace": "serve-h"}});
    let answer = review::self_subject_rules(&asked, &bob(), Some(&policy)).unwrap();
    let rules = answer["status"]["resourceRules"].as_array().unwrap();
    assert!(rules.contains(&json!({"verbs": ["get", "list"], "apiGroups": [""], "resources": ["configmaps"]})));
    assert_eq!(answer["status"]["nonResourceRules"].as_array().unwrap().len(), 2);
    let failure = review::self_subject_rules(&json!({"spec": {}}), &bob(), Some(&policy)).unwrap_err();
    assert_eq!(failure.message, "no namespace on request");
}
