//! Servers beside each other, the same twice by a seed, and their end.

use std::{sync::Arc, time::Duration};

use http::Method;
use operatorkit_apiserver::{
    ApiServer, Dropped,
    fault::{Effect, Fault, Matching},
};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::{
    client::{Client, Next, json},
    objects::{CRDS, MAPS, THINGS, create, map, map_of, names, owned, things},
};

#[tokio::test]
async fn servers_know_nothing_of_each_other() {
    let (first, second) = (ApiServer::start(), ApiServer::start());
    let (one, two) = (Client::of(&first), Client::of(&second));
    let mut events = two.watch(&format!("{MAPS}?watch=1")).await;
    one.post(CRDS, &things()).await.expect(201);
    one.post(
        THINGS,
        &json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "t" } }),
    )
    .await
    .expect(201);
    create(&one, &["a"]).await;
    create(&two, &["b"]).await;
    first
        .faults()
        .add(Fault::new(Matching::everything(), Effect::unavailable()));
    assert_eq!(one.get(MAPS).await.code, 503);
    assert_eq!(names(&two.get(MAPS).await.expect(200)), ["b"]);
    assert_eq!(two.get(THINGS).await.code, 404);
    assert_eq!(events.said().await, "ADDED b");
}

/// Everything that a client sees of a life: bodies and events.
async fn life() -> Vec<Value> {
    let start = "2030-01-01T00:00:00Z".parse().expect("a time");
    let server = ApiServer::builder().seed(7).start_time(start).start();
    let client = Client::of(&server);
    let mut seen = Vec::new();
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    for base in ["a-", "b-", "c-"] {
        let object = json!({ "metadata": { "generateName": base } });
        seen.push(client.post(MAPS, &object).await.expect(201));
    }
    seen.push(client.post(CRDS, &things()).await.expect(201));
    let thing = json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "generateName": "t-" } });
    seen.push(client.post(THINGS, &thing).await.expect(201));
    let service = json!({ "metadata": { "name": "s" }, "spec": { "ports": [{ "port": 80 }] } });
    seen.push(
        client
            .post("/api/v1/namespaces/default/services", &service)
            .await
            .expect(201),
    );
    let owner = client.post(MAPS, &map("owner")).await.expect(201);
    for name in ["x", "y", "z"] {
        client.post(MAPS, &owned(name, &owner)).await.expect(201);
    }
    seen.push(client.delete(&format!("{MAPS}/owner")).await.expect(200));
    server.settled().await;
    seen.push(client.get(&format!("{MAPS}?limit=2")).await.expect(200));
    // Three generated, the owner and its three, and their four ends.
    for _ in 0..11 {
        seen.push(events.event().await);
    }
    seen
}

#[tokio::test(start_paused = true)]
async fn a_seed_gives_the_same_bytes() {
    assert_eq!(life().await, life().await);
}

#[tokio::test]
async fn without_a_seed_uids_differ() {
    let mut uids = Vec::new();
    for _ in 0..2 {
        let server = ApiServer::start();
        let created = Client::of(&server).post(MAPS, &map("a")).await.expect(201);
        uids.push(created["metadata"]["uid"].clone());
    }
    assert_ne!(uids[0], uids[1]);
}

/// The last clone ends watches and controllers, and what they hold.
#[tokio::test]
async fn the_end_of_a_server_is_the_end_of_everything() {
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let held = Arc::new(());
    let server = ApiServer::start();
    let holds = held.clone();
    let looks = Matching::everything().when(move |_| Arc::strong_count(&holds) == 0);
    server.faults().add(Fault::new(looks, Effect::conflict()));
    let client = Client::of(&server);
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    create(&client, &["a"]).await;
    assert_eq!(events.said().await, "ADDED a");
    assert!(tasks() > before);

    let clone = server.clone();
    drop(server);
    create(&client, &["b"]).await;
    assert_eq!(events.said().await, "ADDED b");
    drop(clone);
    assert_eq!(events.next().await, Next::End);
    drop((client, events));
    for _ in 0..100 {
        if tasks() == before && Arc::strong_count(&held) == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!(
        "{} tasks are left of {before}, and the store is held {} times",
        tasks(),
        Arc::strong_count(&held) - 1
    );
}

/// A panic is one request's.
#[tokio::test]
async fn a_panic_answers_500_and_leaves_the_store_whole() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    create(&client, &["a"]).await;
    let panics = Matching::writes().when(|request| {
        assert!(
            request.attributes.name != "a" || request.user.name.is_empty(),
            "on purpose"
        );
        false
    });
    server.faults().add(Fault::new(panics, Effect::conflict()));
    let version = server.resource_version();
    let status = client.put(&format!("{MAPS}/a"), &map_of("a", "new")).await.expect(500);
    assert_eq!(
        (&status["kind"], &status["reason"]),
        (&json!("Status"), &json!("InternalError"))
    );
    assert_eq!(server.resource_version(), version);
    assert_eq!(client.get(&format!("{MAPS}/a")).await.expect(200)["data"], Value::Null);
    // Neither the faults nor the store are stuck.
    create(&client, &["b"]).await;
    server.faults().clear();
    client.delete(&format!("{MAPS}/a")).await.expect(200);
    assert_eq!(names(&client.get(MAPS).await.expect(200)), ["b"]);
}

/// Who is left after the end is told so rather than kept waiting.
#[tokio::test]
async fn after_the_end_a_watch_ends_at_once() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    drop(server);
    let answered = client
        .start(json(Method::GET, &format!("{MAPS}?watch=1"), &json!(null)))
        .await;
    let mut events = crate::client::Events::of(answered.expect("an answer").into_body());
    assert!(matches!(events.next().await, Next::End | Next::Broken), "{Dropped}");
}
