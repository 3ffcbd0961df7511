//! Many watches at once.

use std::time::Duration;

use http::Method;
use http_body_util::BodyExt as _;
use operatorkit_apiserver::{ApiServer, Body};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    client::{Client, request},
    objects::{MAPS, map_of},
};

const WATCHES: usize = 1_000;
const CHANGES: usize = 1_000;

/// The versions of the events that a watch sends, until it has sent all.
async fn versions(mut body: Body) -> Vec<u64> {
    const BEFORE: &[u8] = b"\"resourceVersion\":\"";
    let mut versions = Vec::with_capacity(CHANGES);
    let mut rest: Vec<u8> = Vec::new();
    while versions.len() < CHANGES {
        let frame = body.frame().await.expect("it goes on").expect("it is whole");
        rest.extend(frame.data_ref().into_iter().flatten());
        let mut begin = 0;
        while let Some(end) = rest[begin..].iter().position(|byte| *byte == b'\n') {
            let line = &rest[begin..begin + end];
            begin += end + 1;
            let at = line
                .windows(BEFORE.len())
                .position(|window| window == BEFORE)
                .expect("a version");
            let digits = line[at + BEFORE.len()..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit());
            versions.push(digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')));
        }
        rest.drain(..begin);
    }
    versions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_watches_see_a_thousand_changes_in_order() {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    let mut watches = Vec::new();
    for _ in 0..WATCHES {
        let asked = request(Method::GET, &format!("{MAPS}?watch=1"), "", "");
        let body = client.start(asked).await.expect("an answer").into_body();
        watches.push(tokio::spawn(versions(body)));
    }
    let mut expected = Vec::new();
    for change in 0..CHANGES {
        let path = format!("{MAPS}/{}", change % 10);
        let answer = match change {
            ..10 => client.post(MAPS, &map_of(&change.to_string(), "")).await.expect(201),
            _ => client
                .merge(&path, &json!({ "data": { "value": change.to_string() } }))
                .await
                .expect(200),
        };
        expected.push(crate::objects::version(&answer));
    }
    for watch in watches {
        let seen = timeout(Duration::from_mins(2), watch)
            .await
            .expect("it sees all")
            .expect("no panic");
        assert!(seen == expected, "{seen:?}");
    }
}

/// A watch that nobody reads holds up nobody, and catches up later.
#[tokio::test]
async fn a_watch_that_nobody_reads_holds_up_nobody() {
    let server = ApiServer::builder().controllers(false).history(100).start();
    let client = Client::of(&server);
    let mut slow = client.watch(&format!("{MAPS}?watch=1")).await;
    let mut fast = client.watch(&format!("{MAPS}?watch=1")).await;
    for number in 0..50 {
        client.post(MAPS, &map_of(&number.to_string(), "")).await.expect(201);
        assert_eq!(fast.said().await, format!("ADDED {number}"));
    }
    for number in 0..50 {
        assert_eq!(slow.said().await, format!("ADDED {number}"));
    }
}

/// Writers of one object: each change is made on the one before it, and none is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_of_one_object_lose_nothing() {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    client.post(MAPS, &map_of("a", "0")).await.expect(201);
    let path = format!("{MAPS}/a");
    let writers = (0..20).map(|writer| {
        let (client, path) = (client.clone(), path.clone());
        tokio::spawn(async move {
            // A patch without a version is tried again by the server.
            let key = format!("patched-{writer}");
            client.merge(&path, &json!({ "data": { key: "1" } })).await.expect(200);
            loop {
                let mut object = client.get(&path).await.expect(200);
                object["data"][format!("updated-{writer}")] = "1".into();
                match client.put(&path, &object).await.code {
                    200 => return,
                    code => assert_eq!(code, 409),
                }
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.expect("no panic");
    }
    let object = client.get(&path).await.expect(200);
    assert_eq!(object["data"].as_object().expect("data").len(), 41, "{object}");
}
