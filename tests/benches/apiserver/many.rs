//! Many objects: filling a server with them, and listing them in pages.

use std::time::{Duration, Instant};

use futures::{StreamExt as _, stream};
use http::Method;
use operatorkit::serde_json::json;

use crate::door::Door;

pub(crate) const OBJECTS: usize = 50_000;
pub(crate) const PAGE: usize = 500;

const NAMESPACE: &str = "many";
const MAPS: &str = "/api/v1/namespaces/many/configmaps";

/// What filling comes to.
pub(crate) struct Filled {
    pub(crate) took: Duration,
    /// The bytes of all objects as they are answered.
    pub(crate) json: u64,
}

/// Creates the objects in a namespace of their own.
pub(crate) async fn fill(door: &Door) -> Filled {
    const JSON: &str = "application/json";
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": NAMESPACE } });
    door.ask(Method::POST, "/api/v1/namespaces", JSON, namespace.to_string().into())
        .await;
    let text = "setting: a value in a line of its own\n".repeat(17);
    let begin = Instant::now();
    let created = stream::iter(0..OBJECTS).map(|number| {
        let object = json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "name": format!("map-{number:06}"), "labels": { "app.kubernetes.io/name": "many" } },
            "data": { "app.yaml": text },
        });
        async move {
            door.ask(Method::POST, MAPS, JSON, object.to_string().into())
                .await
                .len() as u64
        }
    });
    let json = created
        .buffer_unordered(16)
        .fold(0, async |sum, length| sum + length)
        .await;
    Filled {
        took: begin.elapsed(),
        json,
    }
}

/// Lists them.
pub(crate) async fn list(door: &Door) -> Duration {
    let begin = Instant::now();
    let mut path = format!("{MAPS}?limit={PAGE}");
    let mut pages = 1;
    loop {
        let page = door.ask(Method::GET, &path, "", Vec::new()).await;
        match continuation(&page) {
            Some(token) => path = format!("{MAPS}?limit={PAGE}&continue={token}"),
            None => break,
        }
        pages += 1;
    }
    assert_eq!(pages, OBJECTS / PAGE);
    begin.elapsed()
}

/// Where a list goes on: it stands at its beginning, which alone is read, so that the server's time counts and not the client's.
fn continuation(page: &[u8]) -> Option<&str> {
    let head = &page[..page.len().min(400)];
    let end = head
        .windows(9)
        .position(|window| window == b"\"items\":[")
        .expect("a list");
    let head = std::str::from_utf8(&head[..end]).expect("text");
    let (_, token) = head.split_once("\"continue\":\"")?;
    token.split('"').next().filter(|token| !token.is_empty())
}
