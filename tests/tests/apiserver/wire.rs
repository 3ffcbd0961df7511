//! What only the bytes on the wire show: sizes, encodings, and JSON that is deep.

use std::io::Read as _;

use flate2::read::GzDecoder;
use operatorkit::serde_json::{self, Value, json};

use crate::{server::Ask, targets::conformance};

/// A ConfigMap of this many bytes of data, as JSON.
fn large(name: &str, size: usize) -> Value {
    json!({"metadata": {"name": name}, "data": {"k": "x".repeat(size)}})
}

conformance! {
    Whole;

    async fn large_answers_are_compressed(server: &Server) {
        let maps = format!("/api/v1/namespaces/{}/configmaps", server.namespace("gzip").await);
        for (name, size) in [("large", 200_000), ("small", 10)] {
            assert_eq!(server.post(&maps, &large(name, size)).await.code, 201);
        }
        let get = |name: &str| Ask::new("GET", &format!("{maps}/{name}"));

        let answer = server.send(&get("large").header("accept-encoding", "gzip")).await;
        assert_eq!(answer.header("content-encoding"), Some("gzip"));
        assert_eq!(answer.header("vary"), Some("Accept-Encoding"));
        assert!(answer.body.len() < 10_000, "{} bytes", answer.body.len());
        let mut text = String::new();
        GzDecoder::new(&answer.body[..]).read_to_string(&mut text).expect("gzip");
        let unpacked: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(unpacked["data"]["k"].as_str().map(str::len), Some(200_000));

        // What is small, or not asked for, is not.
        let answer = server.send(&get("small").header("accept-encoding", "gzip")).await;
        assert_eq!(answer.header("content-encoding"), None);
        assert_eq!(server.get(&format!("{maps}/large")).await.header("content-encoding"), None);
        let answer = server.send(&get("large").header("accept-encoding", "deflate")).await;
        assert_eq!(answer.header("content-encoding"), None);

        let answer = server.send(&Ask::new("GET", &maps).header("accept-encoding", "gzip, deflate")).await;
        assert_eq!(answer.header("content-encoding"), Some("gzip"));
    }

    async fn a_body_has_a_limit(server: &Server) {
        let maps = format!("/api/v1/namespaces/{}/configmaps", server.namespace("large").await);
        // Data has one of its own, which is lower.
        let answer = server.post(&maps, &large("a", 1_048_576)).await;
        assert_eq!(answer.code, 201, "{}", answer.value());
        let answer = server.post(&maps, &large("b", 1_048_577)).await;
        assert_eq!(answer.code, 422);
        assert_eq!(
            answer.value()["message"],
            "ConfigMap \"b\" is invalid: []: Too long: may not be more than 1048576 bytes"
        );

        let limit = 3 * 1024 * 1024;
        let too_large = |ask: Ask| async move {
            let answer = server.send(&ask).await;
            assert_eq!(answer.code, 413, "{}", answer.value());
            assert_eq!(
                answer.value(),
                json!({
                    "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 413,
                    "reason": "RequestEntityTooLarge",
                    "message": "Request entity too large: limit is 3145728",
                })
            );
        };
        let body = large("c", limit);
        too_large(Ask::new("POST", &maps).json(&body)).await;
        too_large(Ask::new("PUT", &format!("{maps}/a")).json(&body)).await;
        let kind = |kind: &str| {
            let mut ask = Ask::new("PATCH", &format!("{maps}/a?fieldManager=m")).header("content-type", kind);
            ask.body = body.to_string().into_bytes();
            ask
        };
        too_large(kind("application/merge-patch+json")).await;
        too_large(kind("application/apply-patch+yaml")).await;
        too_large(Ask::new("DELETE", &format!("{maps}/a")).json(&body)).await;
    }

    async fn deep_values_are_refused(server: &Server) {
        let maps = format!("/api/v1/namespaces/{}/configmaps", server.namespace("deep").await);
        let deep = |depth: usize| {
            let text = format!("{{\"metadata\":{{\"name\":\"a\"}},\"data\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
            let mut ask = Ask::new("POST", &maps).header("content-type", "application/json");
            ask.body = text.into_bytes();
            ask
        };
        for depth in [100, 9_000, 20_000, 1_000_000] {
            let answer = server.send(&deep(depth)).await;
            assert_eq!(answer.code, 400, "{depth}: {}", answer.value());
        }
        // It is still there.
        assert_eq!(server.get("/livez").await.value(), "ok");
    }

    async fn a_thousand_objects_are_listed_in_pages(server: &Server) {
        let maps = format!("/api/v1/namespaces/{}/configmaps", server.namespace("pages").await);
        let made = (0..200).map(|at| {
            let maps = &maps;
            async move { server.post(maps, &json!({"metadata": {"name": format!("m-{at:03}")}})).await.code }
        });
        let made = futures::future::join_all(made).await;
        assert!(made.iter().all(|code| *code == 201), "{made:?}");

        let (mut names, mut next, mut versions) = (Vec::new(), String::new(), Vec::new());
        loop {
            let page = server.get(&format!("{maps}?limit=30&continue={next}")).await.value();
            let items = page["items"].as_array().expect("items");
            names.extend(items.iter().map(|item| item["metadata"]["name"].as_str().expect("a name").to_owned()));
            versions.push(page["metadata"]["resourceVersion"].clone());
            let left = 200 - names.len();
            let remaining = page["metadata"]["remainingItemCount"].as_u64();
            assert_eq!(remaining, (left > 0).then_some(left as u64));
            match page["metadata"]["continue"].as_str() {
                Some(token) => token.clone_into(&mut next),
                None => break,
            }
        }
        let expected: Vec<String> = (0..200).map(|at| format!("m-{at:03}")).collect();
        assert_eq!(names, expected);
        versions.dedup();
        assert_eq!(versions.len(), 1, "all pages are of one version");
    }
}
