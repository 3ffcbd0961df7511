//! Time is tokio's: paused, it passes as a test wants.

use std::time::Duration;

use http::Method;
use jiff::Timestamp;
use operatorkit_apiserver::ApiServer;
use serde_json::json;
use tokio::time::{Instant, advance};

use crate::{
    client::{Client, Next, json},
    objects::{MAPS, create, map, map_of, version},
};

const MINUTE: Duration = Duration::from_mins(1);

fn at(time: &str) -> (ApiServer, Client) {
    let time: Timestamp = time.parse().expect("a time");
    let server = ApiServer::builder().controllers(false).start_time(time).start();
    let client = Client::of(&server);
    (server, client)
}

#[tokio::test(start_paused = true)]
async fn objects_are_created_at_the_time_that_is_given() {
    let (server, client) = at("2030-01-01T00:00:00Z");
    let created = client.post(MAPS, &map_of("a", "1")).await.expect(201);
    assert_eq!(created["metadata"]["creationTimestamp"], "2030-01-01T00:00:00Z");
    assert_eq!(created["metadata"]["managedFields"][0]["time"], "2030-01-01T00:00:00Z");
    advance(Duration::from_millis(90_500)).await;
    let created = client.post(MAPS, &map("b")).await.expect(201);
    assert_eq!(created["metadata"]["creationTimestamp"], "2030-01-01T00:01:30Z");
    assert_eq!(server.now().to_string(), "2030-01-01T00:01:30.5Z");
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_at_its_timeout() {
    let (_server, client) = at("2030-01-01T00:00:00Z");
    let begun = Instant::now();
    let mut events = client.watch(&format!("{MAPS}?watch=1&timeoutSeconds=90")).await;
    assert_eq!(events.next().await, Next::End);
    assert_eq!(begun.elapsed(), MINUTE + MINUTE / 2);
    // Without a timeout it lasts between half an hour and an hour.
    let begun = Instant::now();
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    assert_eq!(events.next().await, Next::End);
    assert!(
        (30 * MINUTE..=60 * MINUTE).contains(&begun.elapsed()),
        "{:?}",
        begun.elapsed()
    );
}

/// A watch that has something to send at every moment ends at its timeout, too.
#[tokio::test(start_paused = true)]
async fn a_busy_watch_ends_at_its_timeout() {
    let (server, client) = at("2030-01-01T00:00:00Z");
    let mut events = client.watch(&format!("{MAPS}?watch=1&timeoutSeconds=1")).await;
    let writer = tokio::spawn(async move {
        client.post(MAPS, &map("a")).await.expect(201);
        for value in 0..400 {
            let patch = json!({ "data": { "value": value.to_string() } });
            client.merge(&format!("{MAPS}/a"), &patch).await.expect(200);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    let begun = Instant::now();
    while events.next().await != Next::End {}
    assert!(begun.elapsed() <= Duration::from_millis(1_010), "{:?}", begun.elapsed());
    writer.await.expect("no panic");
    drop(server);
}

#[tokio::test(start_paused = true)]
async fn a_bookmark_comes_each_minute() {
    let (server, client) = at("2030-01-01T00:00:00Z");
    let now = server.resource_version();
    let mut events = client
        .watch(&format!(
            "{MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=200&resourceVersion={now}"
        ))
        .await;
    let begun = Instant::now();
    // Somebody changes something else meanwhile: the bookmark says that it is behind us.
    let secret = json!({ "metadata": { "name": "s" } });
    client
        .post("/api/v1/namespaces/default/secrets", &secret)
        .await
        .expect(201);
    for minute in 1..=3 {
        let bookmark = events.event().await;
        assert_eq!(bookmark["type"], "BOOKMARK");
        assert_eq!(bookmark["object"]["kind"], "ConfigMap");
        assert_eq!(version(&bookmark["object"]), server.resource_version());
        assert_eq!(begun.elapsed(), minute * MINUTE);
    }
    assert_eq!(events.next().await, Next::End);
}

#[tokio::test(start_paused = true)]
async fn no_bookmark_comes_unasked() {
    let (_server, client) = at("2030-01-01T00:00:00Z");
    create(&client, &["a"]).await;
    let mut events = client.watch(&format!("{MAPS}?watch=1&timeoutSeconds=300")).await;
    assert_eq!(events.take(2).await, ["ADDED a", "End"]);
}

#[tokio::test(start_paused = true)]
async fn a_token_expires() {
    let (server, client) = at("2030-01-01T00:00:00Z");
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    client
        .post(accounts, &json!({ "metadata": { "name": "robot" } }))
        .await
        .expect(201);
    let wish = json!({ "spec": { "expirationSeconds": 600 } });
    let answer = client.post(&format!("{accounts}/robot/token"), &wish).await.expect(201);
    assert_eq!(answer["status"]["expirationTimestamp"], "2030-01-01T00:10:00Z");
    let token = answer["status"]["token"].as_str().expect("a token").to_owned();
    let ask = async || {
        let open = Client::new(server.open_service());
        let mut request = json(Method::GET, MAPS, &json!(null));
        let bearer = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        open.send(request).await.expect("an answer").code
    };
    assert_eq!(ask().await, 200);
    advance(9 * MINUTE).await;
    assert_eq!(ask().await, 200);
    // The real server, too, gives a minute for clocks that differ.
    advance(3 * MINUTE).await;
    assert_eq!(ask().await, 401);
}

#[tokio::test(start_paused = true)]
async fn a_grace_period_ends_where_the_clock_says() {
    let (_server, client) = at("2030-01-01T00:00:00Z");
    let pods = "/api/v1/namespaces/default/pods";
    let pod = json!({
        "metadata": { "name": "p" },
        "spec": { "nodeName": "n", "containers": [{ "name": "c", "image": "i" }] },
    });
    client.post(pods, &pod).await.expect(201);
    let deleting = client.delete(&format!("{pods}/p")).await.expect(200);
    assert_eq!(deleting["metadata"]["deletionTimestamp"], "2030-01-01T00:00:30Z");
    assert_eq!(deleting["metadata"]["deletionGracePeriodSeconds"], 30);
}
