//! Versions that are forgotten: 410, in a stream and as a `Status`.

use operatorkit_apiserver::ApiServer;
use serde_json::json;

use crate::{
    client::{Client, Next},
    objects::{MAPS, create, map, names, version},
};

fn fresh() -> (ApiServer, Client) {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    (server, client)
}

#[tokio::test]
async fn a_watch_from_a_forgotten_version_is_told_so() {
    let (server, client) = fresh();
    create(&client, &["a"]).await;
    let old = server.resource_version() - 1;
    server.compact();
    let mut events = client.watch(&format!("{MAPS}?watch=1&resourceVersion={old}")).await;
    let expired = events.event().await;
    assert_eq!(expired["type"], "ERROR");
    assert_eq!(
        (&expired["object"]["code"], &expired["object"]["reason"]),
        (&json!(410), &json!("Expired"))
    );
    assert_eq!(events.next().await, Next::End);
    // The version of the compaction itself is known.
    let now = server.resource_version();
    let mut events = client.watch(&format!("{MAPS}?watch=1&resourceVersion={now}")).await;
    create(&client, &["b"]).await;
    assert_eq!(events.said().await, "ADDED b");
}

#[tokio::test]
async fn a_watch_that_is_behind_is_told_so() {
    let (server, client) = fresh();
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    create(&client, &["a"]).await;
    assert_eq!(events.said().await, "ADDED a");
    // It has not read these when they are forgotten.
    create(&client, &["b", "c"]).await;
    server.compact();
    assert_eq!(events.take(2).await, ["ERROR 410", "End"]);
}

#[tokio::test]
async fn a_watch_that_has_read_everything_goes_on() {
    let (server, client) = fresh();
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    create(&client, &["a"]).await;
    assert_eq!(events.said().await, "ADDED a");
    server.compact();
    create(&client, &["b"]).await;
    assert_eq!(events.said().await, "ADDED b");
}

/// Changes of other resources are none of a watch's business, however many are forgotten.
#[tokio::test]
async fn a_quiet_resource_is_not_forgotten_with_others() {
    let server = ApiServer::builder().controllers(false).history(3).start();
    let client = Client::of(&server);
    let begin = server.resource_version();
    let mut events = client
        .watch(&format!("/api/v1/secrets?watch=1&resourceVersion={begin}"))
        .await;
    create(&client, &["a", "b", "c", "d", "e"]).await;
    let secret = json!({ "metadata": { "name": "s" } });
    client
        .post("/api/v1/namespaces/default/secrets", &secret)
        .await
        .expect(201);
    assert_eq!(events.said().await, "ADDED s");
    let mut again = client
        .watch(&format!("/api/v1/secrets?watch=1&resourceVersion={begin}"))
        .await;
    assert_eq!(again.said().await, "ADDED s");
}

/// A resource of which there has never been an object has a history, too: an empty one.
#[tokio::test]
async fn a_resource_without_objects_has_a_history() {
    let (server, client) = fresh();
    let begin = server.resource_version();
    create(&client, &["a", "b"]).await;
    let path = format!("/api/v1/endpoints?watch=1&resourceVersion={begin}");
    let mut events = client.watch(&path).await;
    client
        .post(
            "/api/v1/namespaces/default/endpoints",
            &json!({ "metadata": { "name": "e" } }),
        )
        .await
        .expect(201);
    assert_eq!(events.said().await, "ADDED e");
    // Until it is forgotten with the others.
    server.compact();
    let mut events = client
        .watch(&format!("/api/v1/podtemplates?watch=1&resourceVersion={begin}"))
        .await;
    assert_eq!(events.said().await, "ERROR 410");
}

#[tokio::test]
async fn a_list_of_a_forgotten_version_is_refused() {
    let (server, client) = fresh();
    create(&client, &["a", "b", "c"]).await;
    let page = client.get(&format!("{MAPS}?limit=1")).await.expect(200);
    let token = page["metadata"]["continue"].as_str().expect("a token").to_owned();
    client.delete(&format!("{MAPS}/b")).await.expect(200);
    // As long as it is known, the page is of then.
    let next = client
        .get(&format!("{MAPS}?limit=1&continue={token}"))
        .await
        .expect(200);
    assert_eq!((names(&next), version(&next)), (vec!["b"], version(&page)));

    server.compact();
    let expired = client
        .get(&format!("{MAPS}?limit=1&continue={token}"))
        .await
        .expect(410);
    assert_eq!(expired["reason"], "Expired");
    let token = expired["metadata"]["continue"].as_str().expect("another token");
    assert_eq!(
        names(&client.get(&format!("{MAPS}?continue={token}")).await.expect(200)),
        ["c"]
    );
    let old = version(&page);
    let exact = client
        .get(&format!("{MAPS}?resourceVersion={old}&resourceVersionMatch=Exact"))
        .await;
    assert_eq!(exact.expect(410)["reason"], "Expired");
}

#[tokio::test]
async fn only_so_many_changes_are_kept() {
    let server = ApiServer::builder().controllers(false).history(3).start();
    let client = Client::of(&server);
    create(&client, &["a", "b", "c", "d", "e"]).await;
    let now = server.resource_version();
    let mut events = client
        .watch(&format!("{MAPS}?watch=1&resourceVersion={}", now - 3))
        .await;
    assert_eq!(events.take(3).await, ["ADDED c", "ADDED d", "ADDED e"]);
    let mut events = client
        .watch(&format!("{MAPS}?watch=1&resourceVersion={}", now - 4))
        .await;
    assert_eq!(events.said().await, "ERROR 410");
}

/// A page of the past is right whatever happened since: changed, deleted, made anew, added.
#[tokio::test]
async fn the_past_is_whole() {
    let (_server, client) = fresh();
    for name in ["a", "b", "c", "d"] {
        client.post(MAPS, &map(name)).await.expect(201);
    }
    let then = client.get(MAPS).await.expect(200);
    let path = |name: &str| format!("{MAPS}/{name}");
    client.delete(&path("a")).await.expect(200);
    client.post(MAPS, &map("a")).await.expect(201);
    client
        .merge(&path("b"), &json!({ "data": { "x": "1" } }))
        .await
        .expect(200);
    client
        .merge(&path("b"), &json!({ "data": { "x": "2" } }))
        .await
        .expect(200);
    client.delete(&path("d")).await.expect(200);
    create(&client, &["aa", "e"]).await;
    let query = format!("?resourceVersion={}&resourceVersionMatch=Exact", version(&then));
    assert_eq!(client.get(&format!("{MAPS}{query}")).await.expect(200), then);
    let now = client.get(MAPS).await.expect(200);
    assert_eq!(names(&now), ["a", "aa", "b", "c", "e"]);
}
