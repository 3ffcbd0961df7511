//! Facts from a real server of Kubernetes 1.37.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use super::{
    Attributes, Authenticator, Decision, User,
    impersonate::{impersonate, requested},
    review,
    user::split_service_account,
};

fn headers(list: &[(&str, &str)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in list {
        let name: HeaderName = name.parse().unwrap();
        map.append(name, HeaderValue::from_str(value).unwrap());
    }
    map
}

#[test]
fn tokens_are_looked_up_and_bad_ones_refused() {
    let known = Authenticator::new()
        .token(
            "t1",
            User {
                name: "ann".into(),
                ..User::default()
            },
        )
        .lookup(|token| (token == "t2").then(|| User::service_account("ns", "sa", "u")));
    let ask = |value: &str| known.authenticate(&mut headers(&[("authorization", value)]), None);
    assert_eq!(
        ask("Bearer t1").unwrap().unwrap(),
        User::new("ann", Vec::<String>::new())
    );
    assert_eq!(
        ask("bearer t2 rest").unwrap().unwrap().name,
        "system:serviceaccount:ns:sa"
    );
    assert_eq!(ask("Bearer").unwrap(), None);
    assert_eq!(ask("Bearer  t1").unwrap(), None);
    assert_eq!(ask("Basic Zm9vOmJhcg==").unwrap(), None);
    let failure = ask("Bearer nope").unwrap_err();
    assert_eq!(
        failure.status(),
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Unauthorized",
            "reason": "Unauthorized", "code": 401,
        })
    );
}

#[test]
fn a_certificate_goes_before_a_token_and_the_token_is_taken_out() {
    let ann = User::new("ann", ["devs"]);
    let mut headers = headers(&[("authorization", "Bearer nope")]);
    assert_eq!(
        Authenticator::new().authenticate(&mut headers, Some(&ann)).unwrap(),
        Some(ann)
    );
    assert!(headers.is_empty());
}

#[test]
fn impersonation_without_a_name_is_a_bad_request() {
    let message = |list: &[(&str, &str)]| requested(&mut headers(list)).unwrap_err().message;
    assert_eq!(
        message(&[("Impersonate-Group", "a")]),
        concat!(
            r#"requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} "#,
            "without impersonating a user name"
        )
    );
    assert_eq!(
        message(&[
            ("Impersonate-Uid", "3"),
            ("Impersonate-Group", "a"),
            ("Impersonate-Group", "b"),
            ("Impersonate-Extra-B", "z"),
            ("Impersonate-Extra-A", "x\"y"),
        ]),
        concat!(
            r#"requested &user.DefaultInfo{Name:"", UID:"3", Groups:[]string{"a", "b"}, "#,
            r#"Extra:map[string][]string{"a":[]string{"x\"y"}, "b":[]string{"z"}}} without impersonating a user name"#
        )
    );
    assert_eq!(requested(&mut headers(&[("accept", "*/*")])).unwrap(), None);
}

fn with_verb(verb: &'static str) -> impl Fn(&User, &Attributes) -> Decision {
    move |_, attributes| Decision {
        allowed: attributes.verb == verb,
        reason: String::new(),
    }
}

#[test]
fn the_impersonated_user_is_who_asks() {
    let mut map = headers(&[
        ("Impersonate-User", "serve-bob"),
        ("Impersonate-Extra-acme%2Ffoo", "a"),
        ("accept", "*/*"),
    ]);
    let wanted = requested(&mut map).unwrap().unwrap();
    assert_eq!(map.len(), 1);
    let list = Attributes::resource("list", "", "namespaces");
    let bob = impersonate(&wanted, &User::admin(), &list, &with_verb("impersonate")).unwrap();
    assert_eq!(
        review::self_subject(&bob, "2026-12-02T09:22:15Z")["status"]["userInfo"],
        json!({"username": "serve-bob", "groups": ["system:authenticated"], "extra": {"acme/foo": ["a"]}})
    );
    let account = User {
        name: "system:serviceaccount:a:b".into(),
        ..User::default()
    };
    let account = impersonate(&account, &User::admin(), &list, &with_verb("impersonate")).unwrap();
    assert_eq!(
        account.groups,
        [
            "system:serviceaccounts",
            "system:serviceaccounts:a",
            "system:authenticated"
        ]
    );
}

#[test]
fn a_refused_impersonation_is_told_in_the_words_of_the_first_way() {
    let sa1 = User::service_account("serve-h", "sa1", "u");
    let list = Attributes::resource("list", "", "namespaces");
    for (name, mode) in [
        ("bob", "user-info"),
        ("system:node:n1", "arbitrary-node"),
        ("system:serviceaccount:a:b", "serviceaccount"),
    ] {
        let wanted = User {
            name: name.into(),
            ..User::default()
        };
        let failure = impersonate(&wanted, &sa1, &list, &with_verb("nothing")).unwrap_err();
        assert_eq!(
            failure.message,
            format!(
                "namespaces is forbidden: User \"system:serviceaccount:serve-h:sa1\" cannot impersonate-on:{mode}:list \
                 resource \"namespaces\" in API group \"\" at the cluster scope"
            )
        );
    }
}

#[test]
fn names_of_service_accounts() {
    assert_eq!(split_service_account("system:serviceaccount:a:b.c"), Some(("a", "b.c")));
    for bad in [
        "system:serviceaccount:a",
        "system:serviceaccount:a:b:c",
        "system:serviceaccount:A:b",
        "a",
    ] {
        assert_eq!(split_service_account(bad), None, "{bad}");
    }
}

#[test]
fn a_token_review_needs_a_token() {
    let find = |token: &str, _: &[String]| match token {
        "admin-token" => Ok((
            User::new("admin", ["system:masters"]),
            vec!["https://127.0.0.1".to_owned()],
        )),
        _ => Err("invalid bearer token".to_owned()),
    };
    let ask = |token: &str| review::token(json!({"spec": {"token": token}}), find);
    assert_eq!(
        ask("admin-token").unwrap()["status"],
        json!({
            "authenticated": true, "audiences": ["https://127.0.0.1"],
            "user": {"username": "admin", "groups": ["system:masters", "system:authenticated"]},
        })
    );
    assert_eq!(
        ask("nope").unwrap()["status"],
        json!({"user": {}, "error": "invalid bearer token"})
    );
    assert_eq!(
        ask("").unwrap_err().message,
        "token is required for TokenReview in authentication"
    );
}
