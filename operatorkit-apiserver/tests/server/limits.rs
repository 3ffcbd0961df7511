//! What is too large, too deep, too many, or nothing at all.

use std::fmt::Write as _;

use http::Method;
use operatorkit_apiserver::ApiServer;
use serde_json::json;

use crate::{
    client::{Answer, Client, request},
    objects::{MAPS, create, map, map_of},
};

const JSON: &str = "application/json";

fn fresh() -> (ApiServer, Client) {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    (server, client)
}

async fn send(client: &Client, method: Method, path: &str, form: &str, body: impl Into<bytes::Bytes>) -> Answer {
    client.send(request(method, path, form, body)).await.expect("an answer")
}

#[tokio::test]
async fn a_body_of_more_than_3_mb_is_refused() {
    let (_server, client) = fresh();
    let object = map_of("a", &"x".repeat(3 << 20)).to_string();
    let status = send(&client, Method::POST, MAPS, JSON, object).await.expect(413);
    assert_eq!(status["reason"], "RequestEntityTooLarge");
    // One byte less is read.
    let filled = format!("{}{}", map("a"), " ".repeat((3 << 20) - map("a").to_string().len()));
    assert_eq!(filled.len(), 3 << 20);
    send(&client, Method::POST, MAPS, JSON, filled).await.expect(201);
}

#[tokio::test]
async fn deep_bodies_are_refused_or_kept_whole() {
    let (_server, client) = fresh();
    create(&client, &["a"]).await;
    let path = format!("{MAPS}/a");
    let patches = [
        "merge-patch+json",
        "strategic-merge-patch+json",
        "json-patch+json",
        "apply-patch+yaml",
    ];
    for depth in [100, 1_000, 100_000, 1_000_000] {
        for (open, close) in [("{\"a\":", "}"), ("[", "]")] {
            let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let object = format!(
                "{{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{{\"name\":\"b\"}},\"x\":{deep}}}"
            );
            let answer = send(
                &client,
                Method::POST,
                &format!("{MAPS}?dryRun=All"),
                JSON,
                object.clone(),
            )
            .await;
            assert!(matches!(answer.code, 201 | 400 | 413), "{depth}: {}", answer.code);
            let answer = send(&client, Method::POST, MAPS, "application/yaml", deep.clone()).await;
            assert!(matches!(answer.code, 400 | 413 | 422), "{depth}: {}", answer.code);
            for patch in patches {
                let form = format!("application/{patch}");
                let answer = send(
                    &client,
                    Method::PATCH,
                    &format!("{path}?fieldManager=m"),
                    &form,
                    object.clone(),
                )
                .await;
                // The real server answers 500 to an apply of a field that no schema has.
                let untyped = answer.code == 500 && answer.text().contains("failed to create typed patch object");
                assert!(
                    (200..500).contains(&answer.code) || untyped,
                    "{patch} {depth}: {}",
                    answer.text()
                );
            }
        }
    }
    client.get(&path).await.expect(200);
}

/// YAML that is small when it is sent and large when it is read.
#[tokio::test]
async fn yaml_that_multiplies_is_refused() {
    let (_server, client) = fresh();
    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{},", level - 1).repeat(9);
        writeln!(bomb, "a{level}: &a{level} [{before}]").expect("a text");
    }
    for (method, path, form) in [
        (Method::POST, MAPS.to_owned(), "application/yaml"),
        (
            Method::PATCH,
            format!("{MAPS}/a?fieldManager=m"),
            "application/apply-patch+yaml",
        ),
    ] {
        let answer = send(&client, method, &path, form, bomb.clone()).await;
        assert_eq!(answer.code, 400, "{}", answer.text());
    }
}

#[tokio::test]
async fn a_json_patch_that_multiplies_is_refused() {
    let (_server, client) = fresh();
    client.post(MAPS, &map_of("a", &"x".repeat(1_000))).await.expect(201);
    let mut operations = vec![json!({ "op": "add", "path": "/data/0", "value": "y" })];
    for level in 0..40 {
        operations.push(json!({ "op": "copy", "from": "/data", "path": format!("/data/{level}x") }));
    }
    let body = serde_json::Value::from(operations).to_string();
    let answer = send(
        &client,
        Method::PATCH,
        &format!("{MAPS}/a"),
        "application/json-patch+json",
        body,
    )
    .await;
    assert!((400..500).contains(&answer.code), "{}", answer.code);
    let many: Vec<_> = (0..10_001)
        .map(|_| json!({ "op": "test", "path": "/data/value", "value": "" }))
        .collect();
    let body = serde_json::Value::from(many).to_string();
    let answer = send(
        &client,
        Method::PATCH,
        &format!("{MAPS}/a"),
        "application/json-patch+json",
        body,
    )
    .await;
    assert_eq!(answer.code, 413);
}

#[tokio::test]
async fn paths_and_methods_that_lead_nowhere() {
    let (_server, client) = fresh();
    for path in [
        "//",
        "/api/v1/%ff",
        "/apis/%00/v1/x",
        "/api/v1/namespaces/default/configmaps/%2e%2e",
        "/api/v1/namespaces//configmaps",
    ] {
        let code = client.get(path).await.code;
        assert!(matches!(code, 200 | 301 | 400 | 403 | 404 | 405), "{path}: {code}");
    }
    for method in ["TRACE", "OPTIONS", "CONNECT", "PROPFIND"] {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let code = send(&client, method.clone(), MAPS, "", "").await.code;
        assert!((400..500).contains(&code), "{method}: {code}");
    }
}

#[tokio::test]
async fn numbers_out_of_bounds() {
    let (_server, client) = fresh();
    create(&client, &["a"]).await;
    for query in [
        "limit=-1",
        "limit=99999999999999999999",
        "limit=9223372036854775807",
        "resourceVersion=-1",
        "resourceVersion=18446744073709551616",
        "resourceVersion=18446744073709551615",
        "continue=bm8",
        "labelSelector=%28",
        "fieldSelector=a",
    ] {
        let code = client.get(&format!("{MAPS}?{query}")).await.code;
        assert!(matches!(code, 200 | 400 | 504 | 422), "{query}: {code}");
    }
    // The real server says so of a version that is none, too.
    let wrong = client
        .get(&format!("{MAPS}?watch=1&timeoutSeconds=-1&resourceVersion=x"))
        .await;
    assert_eq!(wrong.code, 500);
    // A watch for longer than there is time.
    let mut events = client
        .watch(&format!("{MAPS}?watch=1&timeoutSeconds=9223372036854775807"))
        .await;
    assert_eq!(events.said().await, "ADDED a");
}
