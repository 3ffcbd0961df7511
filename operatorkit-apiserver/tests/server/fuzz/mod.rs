//! Requests of all sorts, most of them wrong: each is answered, nothing panics, and the store stays whole.
//!
//! `PROPTEST_CASES=20000 cargo test -p operatorkit-apiserver --test server fuzz` looks for longer.
//!
//! | module | what |
//! |---|---|
//! | [`choices`] | decisions, read from random numbers |
//! | [`objects`] | objects of any kind, as its schema has them and otherwise |
//! | [`bodies`] | bodies in all forms, whole and damaged |
//! | [`requests`] | paths, queries and headers |

mod bodies;
mod choices;
mod objects;
mod requests;

use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt as _;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use operatorkit_apiserver::ApiServer;
use proptest::prelude::*;
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    client::Client,
    objects::{CRDS, MAPS, things},
};
use choices::Choices;

/// Few, so that they take seconds; each is a server with several requests.
const CASES: u32 = 100;

fn config() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    config.failure_persistence = None;
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_request_is_answered_and_the_store_stays_whole(
        numbers in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..160), 1..24),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let server = ApiServer::builder().start();
            let client = Client::of(&server);
            client.post(CRDS, &things()).await.expect(201);
            for numbers in &numbers {
                if let Some(request) = requests::request(&mut Choices::new(numbers)) {
                    check(&client, request).await;
                }
            }
            whole(&server, &client).await;
        });
    }
}

/// Sends a request; there must be an answer, and none that tells of a panic.
async fn check(client: &Client, request: Request<Full<Bytes>>) {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes();
    let what = format!(
        "{} {} {:?}\n{}",
        head.method,
        head.uri,
        head.headers,
        String::from_utf8_lossy(&bytes)
    );
    let response = client
        .start(Request::from_parts(head, Full::new(bytes)))
        .await
        .expect("an answer");
    let code = response.status().as_u16();
    assert!((200..600).contains(&code), "{code}: {what}");
    // What is there of the answer: a watch does not end.
    let mut body = response.into_body();
    let mut text = Vec::new();
    while let Some(Some(frame)) = body.frame().now_or_never() {
        text.extend(frame.expect("no drop").data_ref().into_iter().flatten());
    }
    let text = String::from_utf8_lossy(&text);
    assert!(code != 500 || !text.contains("panicked"), "{text}: {what}");
}

/// The server goes on, and all that it keeps is an object.
async fn whole(server: &ApiServer, client: &Client) {
    let settled = timeout(Duration::from_secs(20), server.settled()).await;
    settled.expect("no controller has panicked");
    client.get(MAPS).await.expect(200);
    let state = server.state();
    for entry in &state.objects {
        let object: Value = serde_json::from_slice(&entry.object).expect("an object");
        assert!(
            object["metadata"]["name"].is_string() && object["metadata"]["uid"].is_string(),
            "{object}"
        );
    }
    ApiServer::builder().resume(&state).expect("a state");
}
