//! Many watches of one kind, each of which sees every change.

use std::{
    fmt,
    time::{Duration, Instant},
};

use http::Method;
use http_body_util::BodyExt as _;
use operatorkit::serde_json::json;

use crate::{
    door::{AnyBody, Door},
    report::time,
};

pub(crate) const WATCHES: usize = 1_000;
pub(crate) const CHANGES: usize = 1_000;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// How it went.
pub(crate) struct Seen {
    /// From the first change until every watch had seen the last.
    took: Duration,
    /// Watches that the server ended before.
    ended: usize,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&time(self.took))?;
        match self.ended {
            0 => Ok(()),
            ended => write!(f, ", {ended} watches cut"),
        }
    }
}

/// Begins the watches, makes the changes, and checks what each watch has seen.
pub(crate) async fn measure(door: &Door) -> Seen {
    let first = change(door, 0).await;
    let mut watches = Vec::new();
    for _ in 0..WATCHES {
        let path = format!("{MAPS}?watch=1&resourceVersion={first}");
        let response = door.send(Method::GET, &path, "", Vec::new()).await;
        assert!(response.status().is_success(), "{}", response.status());
        watches.push(tokio::spawn(versions(response.into_body())));
    }
    let begin = Instant::now();
    let mut expected = Vec::new();
    for number in 1..=CHANGES {
        expected.push(change(door, number).await);
    }
    let mut ended = 0;
    for watch in watches {
        let seen = watch.await.expect("no panic");
        assert!(expected.starts_with(&seen), "not in order: {seen:?}");
        ended += usize::from(seen.len() < CHANGES);
    }
    Seen {
        took: begin.elapsed(),
        ended,
    }
}

/// Changes one object; its version.
async fn change(door: &Door, number: usize) -> u64 {
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "watched" }, "data": { "number": number.to_string() },
    });
    let path = format!("{MAPS}/watched?fieldManager=bench");
    let body = object.to_string().into_bytes();
    version(
        &door
            .ask(Method::PATCH, &path, "application/apply-patch+yaml", body)
            .await,
    )
}

/// The versions of the events that a watch sends, until it has sent all or ends.
async fn versions(mut body: AnyBody) -> Vec<u64> {
    let mut versions = Vec::with_capacity(CHANGES);
    let mut rest: Vec<u8> = Vec::new();
    while versions.len() < CHANGES {
        let Some(Ok(frame)) = body.frame().await else { break };
        rest.extend(frame.data_ref().into_iter().flatten());
        let mut begin = 0;
        while let Some(end) = rest[begin..].iter().position(|byte| *byte == b'\n') {
            versions.push(version(&rest[begin..begin + end]));
            begin += end + 1;
        }
        rest.drain(..begin);
    }
    versions
}

/// The version of the object that stands in these bytes.
fn version(bytes: &[u8]) -> u64 {
    const BEFORE: &[u8] = b"\"resourceVersion\":\"";
    let at = bytes
        .windows(BEFORE.len())
        .position(|window| window == BEFORE)
        .expect("a version");
    let digits = bytes[at + BEFORE.len()..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}
