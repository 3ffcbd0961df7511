//! Every way in which the events of a watch are disturbed.

use std::time::Duration;

use operatorkit_apiserver::{
    ApiServer,
    fault::{Effect, Fault, Interference, Matching},
};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::{
    client::{Client, Events, Next},
    objects::{MAPS, create, map},
};

const LONG: Duration = Duration::from_mins(3);

/// A server with `a` and `b`, and a watch on it that meets this.
async fn disturbed(interference: Interference) -> (ApiServer, Client, Events) {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    let begin = server.resource_version();
    create(&client, &["a", "b"]).await;
    let watches = Matching::verbs(["watch"]).resource("configmaps");
    server
        .faults()
        .add(Fault::new(watches, Effect::Watch(interference)).once());
    let events = client
        .watch(&format!(
            "{MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion={begin}"
        ))
        .await;
    (server, client, events)
}

#[tokio::test]
async fn a_watch_ends_in_order() {
    let (_server, client, mut events) = disturbed(Interference::EndAfter(3)).await;
    create(&client, &["c", "d"]).await;
    assert_eq!(events.take(4).await, ["ADDED a", "ADDED b", "ADDED c", "End"]);
}

#[tokio::test]
async fn a_watch_ends_before_its_first_event() {
    for (interference, end) in [
        (Interference::EndAfter(0), "End"),
        (Interference::BreakAfter(0), "Broken"),
        (Interference::ExpireAfter(0), "ERROR 410"),
    ] {
        let (_server, _client, mut events) = disturbed(interference).await;
        assert_eq!(events.said().await, end);
    }
}

#[tokio::test]
async fn the_connection_of_a_watch_breaks() {
    let (_server, _client, mut events) = disturbed(Interference::BreakAfter(1)).await;
    assert_eq!(events.take(2).await, ["ADDED a", "Broken"]);
}

#[tokio::test]
async fn a_watch_expires() {
    let (_server, client, mut events) = disturbed(Interference::ExpireAfter(2)).await;
    assert_eq!(events.take(2).await, ["ADDED a", "ADDED b"]);
    let expired = events.event().await;
    assert_eq!(expired["type"], "ERROR");
    assert_eq!(
        (&expired["object"]["code"], &expired["object"]["reason"]),
        (&json!(410), &json!("Expired"))
    );
    assert_eq!(events.next().await, Next::End);
    // The fault was met once: the next watch is whole.
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    assert_eq!(events.take(2).await, ["ADDED a", "ADDED b"]);
}

#[tokio::test(start_paused = true)]
async fn a_watch_falls_silent() {
    let (server, client, mut events) = disturbed(Interference::SilentAfter(2)).await;
    assert_eq!(events.take(2).await, ["ADDED a", "ADDED b"]);
    create(&client, &["c"]).await;
    // Not even a bookmark comes.
    assert!(timeout(LONG, events.next()).await.is_err());
    drop(server);
    assert_eq!(events.next().await, Next::End);
}

#[tokio::test]
async fn events_are_left_out() {
    let (_server, client, mut events) = disturbed(Interference::Omit(vec![1, 3])).await;
    create(&client, &["c", "d"]).await;
    assert_eq!(events.take(2).await, ["ADDED b", "ADDED d"]);
    client.delete(&format!("{MAPS}/a")).await.expect(200);
    assert_eq!(events.said().await, "DELETED a");
}

#[tokio::test]
async fn events_of_one_object_are_coalesced() {
    let (_server, client, mut events) = disturbed(Interference::Coalesce).await;
    assert_eq!(events.take(2).await, ["ADDED a", "ADDED b"]);
    // Nobody reads meanwhile, so they come together.
    for value in ["1", "2", "3"] {
        client
            .merge(&format!("{MAPS}/a"), &json!({ "data": { "value": value } }))
            .await
            .expect(200);
    }
    create(&client, &["c"]).await;
    client.delete(&format!("{MAPS}/c")).await.expect(200);
    let last = events.event().await;
    assert_eq!(
        (&last["type"], &last["object"]["data"]["value"]),
        (&json!("MODIFIED"), &json!("3"))
    );
    assert_eq!(events.said().await, "DELETED c");
}

#[tokio::test(start_paused = true)]
async fn events_come_late() {
    let late = Duration::from_secs(10);
    let (_server, client, mut events) = disturbed(Interference::Late(late)).await;
    let begun = Instant::now();
    assert_eq!(events.take(2).await, ["ADDED a", "ADDED b"]);
    assert_eq!(begun.elapsed(), late);
    // Each comes as much later as the others: those that follow do not wait for those before.
    let writer = tokio::spawn(async move {
        for name in ["c", "d", "e"] {
            client.post(MAPS, &map(name)).await.expect(201);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    let begun = Instant::now();
    for (index, name) in (0..).zip(["c", "d", "e"]) {
        assert_eq!(events.said().await, format!("ADDED {name}"));
        assert_eq!(begun.elapsed(), late + Duration::from_secs(index));
    }
    writer.await.expect("no panic");
}

#[tokio::test]
async fn several_disturbances_add_up() {
    let (server, client, _) = disturbed(Interference::EndAfter(0)).await;
    for interference in [Interference::Omit(vec![1]), Interference::EndAfter(3)] {
        server
            .faults()
            .add(Fault::new(Matching::verbs(["watch"]), Effect::Watch(interference)));
    }
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    create(&client, &["c", "d"]).await;
    assert_eq!(events.take(3).await, ["ADDED b", "ADDED c", "End"]);
}
