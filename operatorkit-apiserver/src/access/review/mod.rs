//! Asking what one may do: the reviews of `authorization.k8s.io` and `authentication.k8s.io`, as pure functions.
//!
//! Each takes the object that is posted, and answers what is sent back, without `managedFields`.

mod check;

use serde_json::{Value, json};

use super::{Attributes, Authorize, User, rbac::Policy};
use crate::failure::{Failure, FieldError, FieldPath, Target};
use check::{check_metadata, check_spec, check_subject, go_path, set};
/// `SelfSubjectAccessReview`: may `user` do it?
///
/// # Errors
///
/// 422 unless exactly one of `resourceAttributes` and `nonResourceAttributes` is there.
pub fn self_subject_access(review: Value, user: &User, authorizer: &impl Authorize) -> Result<Value, Failure> {
    let mut errors = Vec::new();
    check_spec(&review["spec"], &mut errors);
    check_metadata(&review, "must be empty", &[], &mut errors);
    answer(review, user, authorizer, &errors)
}

/// `SubjectAccessReview`: may the user of the spec do it?
///
/// # Errors
///
/// As for [`self_subject_access`]; 422 without a user and groups, too.
pub fn subject_access(review: Value, authorizer: &impl Authorize) -> Result<Value, Failure> {
    let mut errors = Vec::new();
    check_subject(&review["spec"], &mut errors);
    check_metadata(&review, "must be empty", &[], &mut errors);
    let user = subject(&review["spec"]);
    answer(review, &user, authorizer, &errors)
}

/// `LocalSubjectAccessReview`, posted to a namespace.
///
/// # Errors
///
/// As for [`subject_access`]; 422 if it asks about another namespace.
pub fn local_subject_access(mut review: Value, namespace: &str, authorizer: &impl Authorize) -> Result<Value, Failure> {
    if !review["metadata"].is_object() {
        review["metadata"] = json!({});
    }
    review["metadata"]["namespace"] = namespace.into();
    let mut errors = Vec::new();
    let spec = &review["spec"];
    check_subject(spec, &mut errors);
    check_metadata(
        &review,
        "must be empty except for namespace",
        &["namespace"],
        &mut errors,
    );
    if let Some(resource) = set(spec, "resourceAttributes") {
        let asked = resource["namespace"].as_str().unwrap_or_default();
        if asked != namespace {
            let field = FieldPath::new("spec.resourceAttributes.namespace");
            errors.push(FieldError::invalid(
                &field,
                &asked.into(),
                "must match metadata.namespace",
            ));
        }
    }
    if let Some(path) = set(spec, "nonResourceAttributes") {
        let field = FieldPath::new("spec.nonResourceAttributes");
        errors.push(FieldError::invalid(
            &field,
            &go_path(path),
            "disallowed on this kind of request",
        ));
    }
    let user = subject(spec);
    answer(review, &user, authorizer, &errors)
}

/// `SelfSubjectRulesReview`: all rules of a user in the namespace of the spec; without a policy everything is allowed.
///
/// # Errors
///
/// 400 without a namespace.
pub fn self_subject_rules(review: &Value, user: &User, policy: Option<&Policy>) -> Result<Value, Failure> {
    let namespace = review["spec"]["namespace"].as_str().unwrap_or_default();
    if namespace.is_empty() {
        return Err(Failure::bad_request("no namespace on request"));
    }
    let (rules, errors) = policy.map(|it| it.rules_for(user, namespace)).unwrap_or_default();
    let (mut resources, mut paths) = (Vec::new(), Vec::new());
    if policy.is_none() {
        resources.push(json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}));
        paths.push(json!({"verbs": ["*"], "nonResourceURLs": ["*"]}));
    }
    for rule in rules {
        let rule = json!(rule);
        let only = |fields: &[&str]| -> Value {
            let fields = fields
                .iter()
                .filter_map(|it| Some(((*it).to_owned(), rule.get(it)?.clone())));
            Value::Object(fields.collect())
        };
        if rule.get("resources").is_some() {
            resources.push(only(&["verbs", "apiGroups", "resources", "resourceNames"]));
        }
        if rule.get("nonResourceURLs").is_some() {
            paths.push(only(&["verbs", "nonResourceURLs"]));
        }
    }
    let mut status = json!({"resourceRules": resources, "nonResourceRules": paths, "incomplete": false});
    if let Some(error) = super::rbac::policy::one_text(errors) {
        status["evaluationError"] = error.into();
    }
    Ok(json!({
        "kind": "SelfSubjectRulesReview", "apiVersion": "authorization.k8s.io/v1", "metadata": {}, "spec": {}, "status": status,
    }))
}

/// `SelfSubjectReview`: who am I? `now` as RFC 3339 with seconds.
pub fn self_subject(user: &User, now: &str) -> Value {
    json!({
        "kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1",
        "metadata": {"creationTimestamp": now}, "status": {"userInfo": user.info()},
    })
}

/// `TokenReview`: whose token is it? `find` answers the user and the audiences that token and caller have in common, or
/// why the token is no good; it gets the token and the audiences that are asked for.
///
/// # Errors
///
/// 400 without a token.
pub fn token(
    mut review: Value,
    find: impl Fn(&str, &[String]) -> Result<(User, Vec<String>), String>,
) -> Result<Value, Failure> {
    let spec = &review["spec"];
    let token = spec["token"].as_str().unwrap_or_default();
    if token.is_empty() {
        return Err(Failure::bad_request(
            "token is required for TokenReview in authentication",
        ));
    }
    let audiences: Vec<String> = serde_json::from_value(spec["audiences"].clone()).unwrap_or_default();
    review["status"] = match find(token, &audiences) {
        Ok((user, audiences)) => json!({"authenticated": true, "user": user.info(), "audiences": audiences}),
        Err(error) => json!({"user": {}, "error": error}),
    };
    Ok(review)
}

fn answer(
    mut review: Value,
    user: &User,
    authorizer: &impl Authorize,
    errors: &[FieldError],
) -> Result<Value, Failure> {
    if !errors.is_empty() {
        // The real server has no kind at hand here.
        return Err(Failure::invalid(Target::new("authorization.k8s.io", "", ""), errors));
    }
    let decision = authorizer.authorize(user, &attributes(&review["spec"]));
    let mut status = json!({"allowed": decision.allowed});
    if !decision.reason.is_empty() {
        status["reason"] = decision.reason.into();
    }
    review["status"] = status;
    Ok(review)
}

fn attributes(spec: &Value) -> Attributes {
    let text = |of: &Value, field: &str| of[field].as_str().unwrap_or_default().to_owned();
    match set(spec, "resourceAttributes") {
        Some(of) => Attributes {
            verb: text(of, "verb"),
            group: text(of, "group"),
            resource: text(of, "resource"),
            subresource: text(of, "subresource"),
            namespace: text(of, "namespace"),
            name: text(of, "name"),
            path: None,
        },
        None => {
            let of = &spec["nonResourceAttributes"];
            Attributes::path(&text(of, "verb"), &text(of, "path"))
        }
    }
}

fn subject(spec: &Value) -> User {
    User {
        name: spec["user"].as_str().unwrap_or_default().into(),
        uid: spec["uid"].as_str().unwrap_or_default().into(),
        groups: serde_json::from_value(spec["groups"].clone()).unwrap_or_default(),
        extra: serde_json::from_value(spec["extra"].clone()).unwrap_or_default(),
    }
}
