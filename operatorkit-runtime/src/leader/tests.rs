//! The rules of settings and records, and the fence, without a server.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::Lease;
use kube::{Client, client::Body, core::request::Request as Requests};
use proptest::prelude::*;
use tokio::time::{Instant, advance, sleep};

use super::{
    LeaderElection,
    fence::Fence,
    identity::identity,
    record::{self, Seen, Verdict},
};

const SECOND: Duration = Duration::from_secs(1);

fn refused(settings: &LeaderElection) -> String {
    settings.check().unwrap_err().to_string()
}

#[test]
fn the_times_are_checked_against_each_other() {
    let settings = LeaderElection::new();
    settings.check().unwrap();
    let with = |change: fn(&mut LeaderElection)| {
        let mut settings = settings.clone();
        change(&mut settings);
        refused(&settings)
    };
    for (said, hint) in [
        (
            with(|it| it.lease_duration = 10 * SECOND),
            "another replica would lead before this one stops",
        ),
        (
            with(|it| it.renew_deadline = 2400 * SECOND / 1000),
            "1.2 times its retry period",
        ),
        (with(|it| it.retry_period = Duration::ZERO), "zero"),
        (
            with(|it| it.lease_duration = Duration::from_millis(15_500)),
            "whole seconds",
        ),
        (
            with(|it| it.lease_duration = Duration::from_secs(1 << 31)),
            "does not fit",
        ),
        (
            with(|it| it.namespace = Some("A".to_owned())),
            "`A` cannot be the namespace",
        ),
    ] {
        assert!(said.contains(hint), "{said}");
    }
}

#[test]
fn the_leases_name_is_the_apps_or_a_given_one() {
    let settings = LeaderElection::new();
    for (app, name) in [
        ("webapp-operator", "webapp-operator"),
        ("Web_App.v1", "web-app.v1"),
        ("-x-", "x"),
    ] {
        assert_eq!(settings.name_for(app).unwrap(), name);
    }
    let said = settings.name_for("..").unwrap_err().to_string();
    assert!(said.contains("--leader-elect-name"), "{said}");
    assert_eq!(settings.clone().name("other").name_for("..").unwrap(), "other");
    let said = settings.name("No").name_for("x").unwrap_err().to_string();
    assert!(said.contains("`No`"), "{said}");
}

#[test]
fn each_start_has_an_identity_of_its_own() {
    assert_ne!(identity(), identity());
    assert!(identity().len() > 33);
}

fn seen(lease: Lease, now: Instant) -> Seen {
    Seen::update(None, lease, now)
}

fn held_by(holder: &str, seconds: u64, renewed: Timestamp) -> Lease {
    record::created("ns", "x", holder, Duration::from_secs(seconds), renewed)
}

proptest! {
    /// Whatever the times in the Lease are, only what this process saw, and when, decides.
    #[test]
    fn the_wall_clock_in_a_lease_does_not_matter(renewed in -4_000_000_000..4_000_000_000_i64, waited in 0..40_u64) {
        let start = Instant::now();
        let lease = held_by("other", 15, Timestamp::from_second(renewed).unwrap());
        let first = seen(lease.clone(), start);
        let again = Seen::update(Some(first), lease, start + 7 * SECOND);
        let verdict = again.verdict("me", SECOND, start + Duration::from_secs(waited));
        let wanted = if waited >= 15 { Verdict::Free } else { Verdict::Held(start + 15 * SECOND) };
        prop_assert_eq!(verdict, wanted);
    }
}

#[test]
fn a_renewal_begins_the_wait_anew_and_an_annotation_does_not() {
    let (start, now) = (Instant::now(), Timestamp::UNIX_EPOCH);
    let first = seen(held_by("other", 15, now), start);
    let mut annotated = first.lease.clone();
    annotated.metadata.annotations = Some([("a".to_owned(), "b".to_owned())].into());
    let second = Seen::update(Some(first), annotated, start + 10 * SECOND);
    assert_eq!(
        second.verdict("me", SECOND, start + 10 * SECOND),
        Verdict::Held(start + 15 * SECOND)
    );
    let renewed = held_by("other", 15, now + SECOND);
    let third = Seen::update(Some(second), renewed, start + 12 * SECOND);
    assert_eq!(
        third.verdict("me", SECOND, start + 15 * SECOND),
        Verdict::Held(start + 27 * SECOND)
    );
}

#[test]
fn the_holders_own_duration_counts() {
    let start = Instant::now();
    let longer = seen(held_by("other", 60, Timestamp::UNIX_EPOCH), start);
    assert_eq!(
        longer.verdict("me", 15 * SECOND, start + 59 * SECOND),
        Verdict::Held(start + 60 * SECOND)
    );
    let mut said_none = held_by("other", 60, Timestamp::UNIX_EPOCH);
    said_none.spec.as_mut().unwrap().lease_duration_seconds = None;
    let none = seen(said_none, start);
    assert_eq!(
        none.verdict("me", 15 * SECOND, start),
        Verdict::Held(start + 15 * SECOND)
    );
}

#[test]
fn what_was_given_up_is_free_and_what_is_ours_is_ours() {
    let start = Instant::now();
    let mine = seen(held_by("me", 15, Timestamp::UNIX_EPOCH), start);
    assert_eq!(mine.verdict("me", SECOND, start), Verdict::Ours);
    let released = seen(record::released(&mine, Timestamp::UNIX_EPOCH), start);
    assert_eq!(released.holder(), None);
    assert_eq!(released.verdict("other", 15 * SECOND, start), Verdict::Free);
    assert_eq!(
        seen(Lease::default(), start).verdict("me", SECOND, start),
        Verdict::Free
    );
}

#[test]
fn transitions_count_holders_and_not_renewals() {
    let (start, now) = (Instant::now(), Timestamp::UNIX_EPOCH);
    let spec = |lease: &Lease| lease.spec.clone().unwrap();
    let mut first = held_by("a", 15, now);
    first.metadata.resource_version = Some("7".to_owned());
    let renewed = record::taken(&seen(first.clone(), start), "a", 20 * SECOND, now + SECOND);
    assert_eq!(
        (spec(&renewed).lease_transitions, spec(&renewed).lease_duration_seconds),
        (Some(0), Some(20))
    );
    assert_eq!(spec(&renewed).acquire_time, spec(&first).acquire_time);
    assert_ne!(spec(&renewed).renew_time, spec(&first).renew_time);
    assert_eq!(renewed.metadata.resource_version.as_deref(), Some("7"));
    let given_up = record::released(&seen(renewed, start), now);
    let taken = record::taken(&seen(given_up, start), "b", 15 * SECOND, now + 2 * SECOND);
    assert_eq!(
        (spec(&taken).lease_transitions, spec(&taken).holder_identity.as_deref()),
        (Some(1), Some("b"))
    );
}

/// A server that answers after this long, and notes what it was asked.
fn server(after: Duration) -> (Client, std::sync::Arc<std::sync::Mutex<Vec<String>>>) {
    let asked = std::sync::Arc::<std::sync::Mutex<Vec<String>>>::default();
    let log = asked.clone();
    let service = tower::service_fn(move |request: http::Request<Body>| {
        log.lock()
            .unwrap()
            .push(format!("{} {}", request.method(), request.uri()));
        async move {
            sleep(after).await;
            Ok::<_, tower::BoxError>(http::Response::new(Body::from(b"{}".to_vec())))
        }
    });
    (Client::new(service, "here"), asked)
}

async fn send(client: &Client, method: &str, uri: &str) -> Result<(), String> {
    let request = http::Request::builder()
        .method(method)
        .uri(uri)
        .body(Body::empty())
        .unwrap();
    client.send(request).await.map(drop).map_err(|err| err.to_string())
}

#[tokio::test(start_paused = true)]
async fn the_fence_lets_writes_pass_only_while_it_is_open() {
    let (inner, asked) = server(Duration::ZERO);
    let fence = Fence::new();
    let client = fence.client(inner);
    assert_eq!(client.default_namespace(), "here");
    let maps = "/api/v1/namespaces/x/configmaps";
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let said = send(&client, method, maps).await.unwrap_err();
        assert!(
            said.contains("does not lead") && said.contains("was not sent"),
            "{said}"
        );
    }
    for read in ["GET", "HEAD", "OPTIONS"] {
        send(&client, read, maps).await.unwrap();
    }
    send(
        &client,
        "POST",
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    )
    .await
    .unwrap();
    assert_eq!(asked.lock().unwrap().len(), 4);
    asked.lock().unwrap().clear();

    fence.open(Instant::now() + 10 * SECOND);
    assert!(fence.leadership().leads());
    send(&client, "PATCH", &format!("{maps}/a?force=true")).await.unwrap();
    send(&client, "DELETE", &format!("{maps}/a")).await.unwrap();
    assert!(!fence.is_loose(15 * SECOND), "both were answered");
    advance(10 * SECOND).await;
    assert!(!fence.leadership().leads());
    send(&client, "DELETE", maps).await.unwrap_err();
    fence.open(Instant::now() + 10 * SECOND);
    send(&client, "DELETE", maps).await.unwrap();
    fence.end();
    send(&client, "DELETE", maps).await.unwrap_err();
    fence.open(Instant::now() + 10 * SECOND);
    send(&client, "DELETE", maps).await.unwrap_err();
    let asked = asked.lock().unwrap();
    assert_eq!(
        asked[..2],
        [
            format!("PATCH {maps}/a?force=true&timeout=10000ms"),
            format!("DELETE {maps}/a?timeout=10000ms")
        ]
    );
    assert_eq!(asked.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_write_under_way_is_cut_off_at_the_deadline_unless_that_is_put_off() {
    let (inner, _asked) = server(8 * SECOND);
    let fence = Fence::new();
    let client = fence.client(inner);
    let start = Instant::now();
    fence.open(start + 5 * SECOND);
    let putting_off = async {
        sleep(2 * SECOND).await;
        fence.open(start + 9 * SECOND);
    };
    let (answer, ()) = tokio::join!(send(&client, "PATCH", "/x"), putting_off);
    answer.unwrap();
    assert!(!fence.is_loose(15 * SECOND));
    let said = send(&client, "PATCH", "/x").await.unwrap_err();
    assert!(said.contains("was cut off"), "{said}");
    assert_eq!(start.elapsed(), 9 * SECOND);
    assert!(fence.is_loose(15 * SECOND), "it may still arrive");
    advance(15 * SECOND).await;
    assert!(!fence.is_loose(15 * SECOND));
}

#[tokio::test(start_paused = true)]
async fn a_write_that_nobody_waits_for_any_more_is_loose() {
    let (inner, _asked) = server(8 * SECOND);
    let fence = Fence::new();
    fence.open(Instant::now() + 100 * SECOND);
    let client = fence.client(inner);
    tokio::time::timeout(SECOND, send(&client, "PATCH", "/x"))
        .await
        .unwrap_err();
    assert!(fence.is_loose(15 * SECOND));
}

#[test]
fn what_kube_makes_of_a_request_is_told_as_a_write() {
    // The paths that kube builds are those that the fence reads.
    let request = Requests::new("/api/v1/namespaces/x/pods")
        .evict("a", &kube::api::EvictParams::default())
        .unwrap();
    assert!(super::fence::changes(request.method(), request.uri().path()));
}
