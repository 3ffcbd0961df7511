//! Facts about tokens, as a real server issues them.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Claims, Reference, TokenKey, request::Issuer};
use crate::failure::{Failure, Target};

const ISSUER: &str = "https://127.0.0.1";

fn now() -> Timestamp {
    "2026-12-02T09:22:15.5Z".parse().unwrap()
}

fn claims() -> Claims {
    let account = Reference::new("sa1", "ad864f00");
    Claims::new(ISSUER, "serve-h", account, vec![ISSUER.into()], "2d0f", now(), 3600)
}

#[test]
fn claims_are_those_of_the_real_server() {
    assert_eq!(
        json!(claims()).to_string(),
        concat!(
            r#"{"aud":["https://127.0.0.1"],"exp":1796206935,"iat":1796203335,"iss":"https://127.0.0.1","jti":"2d0f","#,
            r#""kubernetes.io":{"namespace":"serve-h","serviceaccount":{"name":"sa1","uid":"ad864f00"}},"nbf":1796203335,"#,
            r#""sub":"system:serviceaccount:serve-h:sa1"}"#
        )
    );
}

#[test]
fn a_token_is_known_by_its_key_alone() {
    let key = TokenKey::generate();
    let token = key.sign(&claims()).unwrap();
    assert_eq!(key.verify(&token, ISSUER), Some(claims()));
    assert_eq!(
        TokenKey::from_pkcs8(key.pkcs8()).unwrap().verify(&token, ISSUER),
        Some(claims())
    );
    assert_eq!(TokenKey::generate().verify(&token, ISSUER), None);
    assert_eq!(key.verify(&token, "https://other"), None);
    for broken in [
        format!("{token}x"),
        token.replace('.', ".."),
        String::new(),
        "a.b.c".into(),
        "..".into(),
    ] {
        assert_eq!(key.verify(&broken, ISSUER), None, "{broken}");
    }
    assert!(TokenKey::from_pkcs8(b"no key").is_err());
}

#[test]
fn another_algorithm_is_refused() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let key = TokenKey::generate();
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
    let payload = URL_SAFE_NO_PAD.encode(json!(claims()).to_string());
    assert_eq!(key.verify(&format!("{header}.{payload}."), ISSUER), None);
}

#[test]
fn a_token_is_good_for_its_time_and_a_minute() {
    let at = |offset: i64| claims().check_time(Timestamp::from_second(now().as_second() + offset).unwrap());
    assert_eq!(at(0), Ok(()));
    assert_eq!(at(3660), Ok(()));
    assert_eq!(at(3661), Err("service account token has expired"));
    assert_eq!(at(-61), Err("service account token is not valid yet"));
}

#[test]
fn audiences_must_meet() {
    assert_eq!(
        claims().check_audiences(&[ISSUER.into(), "b".into()]),
        Ok(vec![ISSUER.to_owned()])
    );
    assert_eq!(
        claims().check_audiences(&["foo".into()]).unwrap_err(),
        r#"token audiences ["https://127.0.0.1"] is invalid for the target audiences ["foo"]"#
    );
}

#[test]
fn the_user_of_a_token() {
    assert_eq!(
        claims().user().info(),
        json!({
            "username": "system:serviceaccount:serve-h:sa1", "uid": "ad864f00",
            "groups": ["system:serviceaccounts", "system:serviceaccounts:serve-h", "system:authenticated"],
            "extra": {"authentication.kubernetes.io/credential-id": ["JTI=2d0f"]},
        })
    );
}

#[test]
fn the_key_set_names_the_key() {
    let key = TokenKey::generate();
    let set = key.jwks();
    assert_eq!(set["keys"][0]["kid"], key.id());
    assert_eq!(set["keys"][0]["x"].as_str().unwrap().len(), 43);
}

fn ask(request: Value) -> Result<Value, Failure> {
    let key = TokenKey::generate();
    let account = json!({"metadata": {"name": "sa1", "namespace": "serve-h", "uid": "u1"}});
    let issuer = Issuer {
        key: &key,
        issuer: ISSUER,
        audiences: &[ISSUER.into()],
        now: now(),
        id: "2d0f",
    };
    let answer = issuer.answer(request, &account, |kind, name| match (kind, name) {
        ("Pod", "p") => Ok(json!({"metadata": {"uid": "u2"}, "spec": {"serviceAccountName": "sa1", "nodeName": "n"}})),
        ("Pod", "q") => Ok(json!({"metadata": {"uid": "u3"}, "spec": {"serviceAccountName": "sa2"}})),
        _ => Err(Failure::not_found(Target::new("", "pods", name))),
    })?;
    let token = answer["status"]["token"].as_str().unwrap();
    assert!(key.verify(token, ISSUER).is_some());
    let mut answer = answer.clone();
    answer["claims"] = json!(key.verify(token, ISSUER).unwrap().kubernetes);
    answer["status"]["token"] = "…".into();
    Ok(answer)
}

#[test]
fn a_token_request_is_filled_in() {
    let answer = ask(json!({"kind": "TokenRequest", "spec": {}})).unwrap();
    assert_eq!(
        answer["spec"],
        json!({"audiences": ["https://127.0.0.1"], "expirationSeconds": 3600, "boundObjectRef": null})
    );
    assert_eq!(answer["status"]["expirationTimestamp"], "2026-12-02T10:22:15Z");
    assert_eq!(answer["metadata"]["name"], "sa1");
    assert_eq!(answer["metadata"]["creationTimestamp"], "2026-12-02T09:22:15Z");
}

#[test]
fn a_token_can_be_bound_to_a_pod_of_the_account() {
    let bound = |reference: Value| ask(json!({"spec": {"boundObjectRef": reference}}));
    let answer = bound(json!({"apiVersion": "v1", "kind": "Pod", "name": "p"})).unwrap();
    assert_eq!(answer["claims"]["pod"], json!({"name": "p", "uid": "u2"}));
    assert_eq!(answer["claims"]["node"], json!({"name": "n"}));
    let message = |reference| bound(reference).unwrap_err().message;
    assert!(message(json!({"kind": "Pod", "name": "q"})).starts_with("cannot bind token for serviceaccount \"sa1\""));
    assert_eq!(message(json!({"kind": "Pod", "name": "r"})), "pods \"r\" not found");
    assert_eq!(
        message(json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "r"})),
        "cannot bind token to object of type apps/v1, Kind=Deployment"
    );
    assert!(message(json!({"kind": "Pod", "name": "p", "uid": "x"})).contains("does not match the UID in record"));
}

#[test]
fn a_token_is_good_for_ten_minutes_at_least() {
    assert_eq!(
        ask(json!({"spec": {"expirationSeconds": 5}})).unwrap_err().message,
        concat!(
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: 5: ",
            "may not specify a duration less than 10 minutes"
        )
    );
}
