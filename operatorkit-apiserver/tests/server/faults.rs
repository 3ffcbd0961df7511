//! Every effect that a fault has on a request: whether it is done, and what the client sees.

use std::time::Duration;

use http::Method;
use operatorkit_apiserver::{
    ApiServer, Dropped,
    failure::Failure,
    fault::{Effect, Fault, Matching},
};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use crate::{
    client::{Answer, Client, json},
    objects::{MAPS, create, map, names},
};

const LONG: Duration = Duration::from_hours(1);

/// A server without controllers, so that nobody else asks, which has one fault; and its client.
fn with(matching: Matching, effect: Effect) -> (ApiServer, Client) {
    let server = ApiServer::builder().controllers(false).start();
    server.faults().add(Fault::new(matching, effect).once());
    let client = Client::of(&server);
    (server, client)
}

async fn creates(client: &Client) -> Result<Answer, Dropped> {
    client.send(json(Method::POST, MAPS, &map("a"))).await
}

async fn is_there(client: &Client) -> bool {
    client.get(&format!("{MAPS}/a")).await.code == 200
}

#[tokio::test]
async fn a_request_is_refused_and_nothing_is_done() {
    let conflict = Failure::new(409, "AlreadyExists", "so it is said");
    let (_server, client) = with(Matching::everything(), Effect::Refuse(conflict));
    let answer = creates(&client).await.expect("an answer").expect(409);
    assert_eq!(
        answer,
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 409,
            "reason": "AlreadyExists", "message": "so it is said",
        })
    );
    assert!(!is_there(&client).await);
    creates(&client).await.expect("an answer").expect(201);
}

#[tokio::test]
async fn a_request_is_done_and_refused() {
    let (_server, client) = with(
        Matching::writes(),
        Effect::DoneButRefused(Failure::new(504, "Timeout", "too late")),
    );
    let answer = creates(&client).await.expect("an answer").expect(504);
    assert_eq!(answer["reason"], "Timeout");
    assert!(is_there(&client).await);
}

#[tokio::test(start_paused = true)]
async fn a_request_is_delayed() {
    let (server, client) = with(Matching::writes(), Effect::Delay(LONG));
    let before = Instant::now();
    let (answer, ()) = tokio::join!(creates(&client), async {
        tokio::time::sleep(LONG / 2).await;
        assert!(!is_there(&client).await, "it is done too early");
    });
    assert_eq!(answer.expect("an answer").code, 201);
    assert_eq!(before.elapsed(), LONG);
    drop(server);
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_delayed() {
    let (server, client) = with(Matching::writes(), Effect::DelayAnswer(LONG));
    let before = Instant::now();
    let (answer, ()) = tokio::join!(creates(&client), async {
        tokio::time::sleep(LONG / 2).await;
        assert!(is_there(&client).await, "it is not done yet");
    });
    assert_eq!(answer.expect("an answer").code, 201);
    assert_eq!(before.elapsed(), LONG);
    drop(server);
}

#[tokio::test(start_paused = true)]
async fn a_request_hangs() {
    for (effect, done) in [(Effect::Hang, false), (Effect::DoneButHangs, true)] {
        let (server, client) = with(Matching::writes(), effect);
        assert!(timeout(LONG, creates(&client)).await.is_err(), "it was answered");
        assert_eq!(is_there(&client).await, done);
        drop(server);
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_hangs_breaks_when_the_server_ends() {
    let (server, client) = with(Matching::writes(), Effect::Hang);
    let hanging = tokio::spawn(async move { creates(&client).await.map(|answer| answer.code) });
    tokio::time::sleep(LONG).await;
    assert!(!hanging.is_finished());
    drop(server);
    assert_eq!(hanging.await.expect("no panic"), Err(Dropped));
}

#[tokio::test]
async fn a_connection_is_dropped() {
    for (effect, done) in [(Effect::Drop, false), (Effect::DoneButDropped, true)] {
        let (_server, client) = with(Matching::writes(), effect);
        assert_eq!(creates(&client).await.map(|answer| answer.code), Err(Dropped));
        assert_eq!(is_there(&client).await, done);
    }
}

/// Nobody waits for it any more.
#[tokio::test(start_paused = true)]
async fn what_was_held_up_on_its_way_is_done_after_the_connection_broke() {
    let (_server, client) = with(Matching::writes(), Effect::DoneLate(LONG));
    assert_eq!(creates(&client).await.map(|answer| answer.code), Err(Dropped));
    tokio::time::sleep(LONG / 2).await;
    assert!(!is_there(&client).await);
    tokio::time::sleep(LONG).await;
    assert!(is_there(&client).await);
}

/// Reads see the past, writes do not: a client whose cache stands still gets 409 for what it knows.
#[tokio::test]
async fn reads_see_a_frozen_past() {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    create(&client, &["a", "b"]).await;
    let frozen = server.resource_version();
    client
        .merge(&format!("{MAPS}/a"), &json!({ "data": { "x": "new" } }))
        .await
        .expect(200);
    create(&client, &["c"]).await;
    client.delete(&format!("{MAPS}/b")).await.expect(200);

    let reads = Matching::verbs(["get", "list", "watch"]);
    let fault = server.faults().add(Fault::new(reads, Effect::SeeOnly(frozen)));
    let list = client.get(MAPS).await.expect(200);
    assert_eq!(names(&list), ["a", "b"]);
    assert_eq!(list["metadata"]["resourceVersion"], frozen.to_string());
    assert_eq!(list["items"][0]["data"], Value::Null);
    let old = client.get(&format!("{MAPS}/a")).await.expect(200);
    assert_eq!(old["data"], Value::Null, "{old}");
    assert_eq!(client.get(&format!("{MAPS}/b")).await.code, 200);
    assert_eq!(client.get(&format!("{MAPS}/c")).await.code, 404);
    let refused = client.put(&format!("{MAPS}/a"), &old).await.expect(409);
    assert_eq!(refused["reason"], "Conflict");

    server.faults().remove(fault);
    assert_eq!(names(&client.get(MAPS).await.expect(200)), ["a", "c"]);
}

/// What a real server does, too, when the finalizer is added between its read and its removal (kubernetes#77988).
#[tokio::test]
async fn a_delete_that_has_read_the_past_does_not_see_a_new_finalizer() {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    let held = json!({ "metadata": { "finalizers": ["test.dev/hold"] } });
    create(&client, &["a", "held"]).await;
    client.merge(&format!("{MAPS}/held"), &held).await.expect(200);
    let frozen = server.resource_version();
    client.merge(&format!("{MAPS}/a"), &held).await.expect(200);
    create(&client, &["later"]).await;
    client.merge(&format!("{MAPS}/later"), &held).await.expect(200);
    let mut events = client
        .watch(&format!("{MAPS}?watch=1&resourceVersion={}", server.resource_version()))
        .await;

    let deletes = Matching::verbs(["delete"]);
    server.faults().add(Fault::new(deletes, Effect::SeeOnly(frozen)));
    for name in ["a", "held", "later"] {
        client.delete(&format!("{MAPS}/{name}")).await.expect(200);
    }
    assert_eq!(events.said().await, "DELETED a");
    assert_eq!(names(&client.get(MAPS).await.expect(200)), ["held", "later"]);
}

/// A watch on a frozen cache has the objects of then, and nothing that came after.
#[tokio::test(start_paused = true)]
async fn watches_see_a_frozen_past() {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    create(&client, &["a"]).await;
    let frozen = server.resource_version();
    create(&client, &["b"]).await;
    server
        .faults()
        .add(Fault::new(Matching::verbs(["watch"]), Effect::SeeOnly(frozen)));
    let mut events = client.watch(&format!("{MAPS}?watch=1")).await;
    assert_eq!(events.said().await, "ADDED a");
    create(&client, &["c"]).await;
    assert!(
        timeout(Duration::from_mins(1), events.next()).await.is_err(),
        "it sees what is new"
    );
}

#[tokio::test]
async fn refusals_have_the_words_of_the_real_server() {
    let cases: [(Effect, u16, &str, Option<&str>); 7] = [
        (Effect::conflict(), 409, "Conflict", None),
        (Effect::too_many_requests(7), 429, "TooManyRequests", Some("7")),
        (Effect::internal_error(), 500, "InternalError", None),
        (Effect::unavailable(), 503, "ServiceUnavailable", None),
        (Effect::timeout(), 504, "Timeout", Some("1")),
        (Effect::webhook_denied("a.example.com", "never"), 400, "", None),
        (Effect::webhook_unreachable("a.example.com"), 500, "InternalError", None),
    ];
    for (effect, code, reason, retry_after) in cases {
        let (_server, client) = with(Matching::everything(), effect);
        let answer = creates(&client).await.expect("an answer");
        let retry = answer.headers.get("retry-after").and_then(|value| value.to_str().ok());
        assert_eq!(retry, retry_after);
        let status = answer.expect(code);
        assert_eq!(status["reason"].as_str().unwrap_or_default(), reason);
        if code == 400 {
            assert_eq!(
                status["message"],
                "admission webhook \"a.example.com\" denied the request: never"
            );
        }
    }
}
