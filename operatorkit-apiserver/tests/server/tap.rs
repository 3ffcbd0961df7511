//! What is recorded, and in which order.

use std::time::Duration;

use http::Method;
use jiff::Timestamp;
use operatorkit_apiserver::{
    ApiServer,
    access::User,
    fault::{Effect, Fault, Matching},
    tap::{Entry, Record},
};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    client::{Client, json},
    objects::{MAPS, map},
};

fn tapped(records: usize) -> (ApiServer, Client) {
    let server = ApiServer::builder().controllers(false).tap(records).start();
    let client = Client::new(server.service_as(User::new("alice", ["system:masters"])));
    (server, client)
}

fn lines(records: &[Record]) -> Vec<String> {
    records.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn requests_answers_and_events_stand_in_order() {
    let (server, client) = tapped(100);
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    client.post(MAPS, &map("a")).await.expect(201);
    assert_eq!(events.said().await, "ADDED a");
    client.post(MAPS, &map("a")).await.expect(409);
    server
        .faults()
        .add(Fault::new(Matching::verbs(["delete"]), Effect::DoneButDropped));
    let deleted = client
        .send(json(Method::DELETE, &format!("{MAPS}/a"), &json!({})))
        .await;
    assert!(deleted.is_err());
    assert_eq!(events.said().await, "DELETED a");
    assert_eq!(
        lines(&server.tap().all()),
        [
            "#1 watch configmaps default by alice",
            "#1 watch configmaps default by alice -> 200",
            "#2 create configmaps default by alice",
            "#2 create configmaps default by alice -> 201",
            "#1 watch configmaps default by alice -> ADDED",
            "#3 create configmaps default by alice",
            "#3 create configmaps default by alice -> 409",
            "#4 delete configmaps default/a by alice",
            "#4 delete configmaps default/a by alice -> dropped",
            "#1 watch configmaps default by alice -> DELETED",
        ]
    );
}

#[tokio::test]
async fn a_record_has_everything() {
    let start: Timestamp = "2030-01-01T00:00:00Z".parse().expect("a time");
    let server = ApiServer::builder()
        .controllers(false)
        .tap(10)
        .start_time(start)
        .start();
    let client = Client::of(&server);
    let created = client
        .post(&format!("{MAPS}?fieldManager=me"), &map("a"))
        .await
        .expect(201);
    let [request, answer] = &server.tap().all()[..] else {
        panic!("two records")
    };
    let Entry::Request { info, query, body } = &request.entry else {
        panic!("a request")
    };
    assert_eq!(
        (query.as_str(), info.user_agent.as_str(), info.version.as_str()),
        ("fieldManager=me", "test/1", "v1")
    );
    assert_eq!(body, map("a").to_string().as_bytes());
    assert_eq!((request.json(), answer.json()), (map("a"), created));
    assert!(request.is_write() && !answer.is_write());
    assert!(request.at >= start && answer.at >= request.at);
    assert_eq!((request.number, answer.number), (0, 1));
}

#[tokio::test]
async fn the_last_records_are_kept() {
    let (server, client) = tapped(3);
    for _ in 0..4 {
        client.get(MAPS).await.expect(200);
    }
    let numbers: Vec<u64> = server.tap().all().iter().map(|record| record.number).collect();
    assert_eq!(numbers, [5, 6, 7]);
    assert_eq!(server.tap().mark(), 8);
    assert_eq!(server.tap().since(7).len(), 1);
    let (server, client) = tapped(0);
    client.get(MAPS).await.expect(200);
    assert!(!server.tap().is_on() && server.tap().all().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_test_waits_for_a_record() {
    let (server, client) = tapped(100);
    client.post(MAPS, &map("early")).await.expect(201);
    let mark = server.tap().mark();
    let created = |record: &Record| record.is_write() && record.info().attributes.verb == "create";
    // What was before the mark does not count.
    let patience = Duration::from_secs(5);
    assert!(timeout(patience, server.tap().wait_for(mark, created)).await.is_err());
    let (found, ()) = tokio::join!(server.tap().wait_for(mark, created), async {
        tokio::time::sleep(patience).await;
        client.get(MAPS).await.expect(200);
        client.post(MAPS, &map("late")).await.expect(201);
    });
    assert_eq!(found.json(), map("late"));
    // It is there already.
    assert_eq!(server.tap().wait_for(mark, created).await.number, found.number);
}

#[tokio::test]
async fn nothing_secret_is_displayed() {
    let (server, client) = tapped(100);
    let mut events = client.watch("/api/v1/secrets?watch=1").await;
    let secret = json!({ "metadata": { "name": "s" }, "stringData": { "password": "hunter2" } });
    client
        .post("/api/v1/namespaces/default/secrets?dryRun=All", &secret)
        .await
        .expect(201);
    client
        .post("/api/v1/namespaces/default/secrets", &secret)
        .await
        .expect(201);
    events.event().await;
    let shown = format!("{:?} {}", lines(&server.tap().all()), server.tap().all()[0].info());
    assert!(!shown.contains("hunter2") && !shown.contains("aHVudGVyMg"), "{shown}");
}

/// Who asks shows in the tap, whoever sends it.
#[tokio::test]
async fn impersonation_shows() {
    let (server, client) = tapped(10);
    let mut request = json(Method::GET, MAPS, &json!(null));
    let bob = "bob".parse().expect("a header");
    request.headers_mut().insert("impersonate-user", bob);
    client.send(request).await.expect("an answer").expect(200);
    assert_eq!(lines(&server.tap().all())[0], "#1 list configmaps default by bob");
}

/// A request that panics is answered, and that stands in the tap.
#[tokio::test]
async fn a_panic_is_an_answer() {
    let (server, client) = tapped(10);
    let panics = Matching::everything().when(|_| panic!("on purpose"));
    server.faults().add(Fault::new(panics, Effect::conflict()));
    client.get(MAPS).await.expect(500);
    assert_eq!(
        lines(&server.tap().all()),
        [
            "#1 list configmaps default by alice",
            "#1 list configmaps default by alice -> 500"
        ]
    );
}
