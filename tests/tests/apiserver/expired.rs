//! Versions that a server has forgotten: 410, and how a client goes on.

use operatorkit::serde_json::{Value, json};
use operatorkit_testing::{PATIENCE, wait_for};

use crate::{server::Server, targets::conformance};

const TOKEN_EXPIRED: &str = "The provided continue parameter is too old to display a consistent list result. You can start a new list without \
    the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided \
    token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now \
    may show up in the list.";

async fn create(server: &Server, maps: &str, name: &str) {
    let answer = server.post(maps, &json!({"metadata": {"name": name}})).await;
    assert_eq!(answer.code, 201, "{}", answer.value());
}

fn names(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("items");
    items
        .iter()
        .filter_map(|item| item["metadata"]["name"].as_str())
        .collect()
}

fn text<'a>(list: &'a Value, key: &str) -> &'a str {
    list["metadata"][key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key}: {list}"))
}

conformance! {
    Apart;

    async fn what_is_forgotten_is_expired(server: &Server) {
        let maps = format!("/api/v1/namespaces/{}/configmaps", server.namespace("expired").await);
        for name in ["a", "c", "d"] {
            create(server, &maps, name).await;
        }
        let page = server.get(&format!("{maps}?limit=1")).await.value();
        assert_eq!(names(&page), ["a"]);
        create(server, &maps, "b").await;

        let rest = format!("{maps}?limit=1&continue={}", text(&page, "continue"));
        let mut others = 0;
        let expired = wait_for("the page is expired", PATIENCE, async || {
            // A server compacts up to what it has seen before, and what is new makes that older.
            others += 1;
            create(server, &maps, &format!("z-{others}")).await;
            let answer = server.get(&rest).await;
            match answer.code {
                410 => Ok(answer.value()),
                code => Err(std::io::Error::other(format!("{code}: {}", answer.value())).into()),
            }
        })
        .await;
        let mut status = expired.clone();
        status["metadata"] = json!({});
        assert_eq!(
            status,
            json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 410,
                "reason": "Expired", "message": TOKEN_EXPIRED,
            })
        );

        // The token in the answer goes on from there, in the present.
        let page_now = server.get(&format!("{maps}?limit=2&continue={}", text(&expired, "continue"))).await.value();
        assert_eq!(names(&page_now), ["b", "c"]);
        let page_now = server.get(&format!("{maps}?limit=1&continue={}", text(&page_now, "continue"))).await.value();
        assert_eq!(names(&page_now), ["d"]);

        let version = text(&page, "resourceVersion");
        let answer = server.get(&format!("{maps}?resourceVersion={version}&resourceVersionMatch=Exact")).await;
        assert_eq!(
            answer.value(),
            json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 410,
                "reason": "Expired", "message": "The resourceVersion for the provided list is too old.",
            })
        );
        // Not older than that is no more than a wish.
        let list = server.get(&format!("{maps}?resourceVersion={version}&resourceVersionMatch=NotOlderThan")).await;
        assert_eq!(list.code, 200);
        assert_eq!(names(&list.value())[..4], ["a", "b", "c", "d"]);
    }
}
