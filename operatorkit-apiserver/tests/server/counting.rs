//! Which requests meet a fault, and how many.

use operatorkit_apiserver::{
    ApiServer,
    access::User,
    fault::{Effect, Fault, Matching},
};
use serde_json::json;

use crate::{
    client::Client,
    objects::{MAPS, create, map},
};

fn fresh() -> (ApiServer, Client) {
    let server = ApiServer::builder().controllers(false).start();
    let client = Client::of(&server);
    (server, client)
}

async fn codes(client: &Client, path: &str, count: usize) -> Vec<u16> {
    let mut codes = Vec::new();
    for _ in 0..count {
        codes.push(client.get(path).await.code);
    }
    codes
}

#[tokio::test]
async fn the_first_are_skipped_and_so_many_meet_it() {
    let (server, client) = fresh();
    let fault = Fault::new(Matching::everything(), Effect::unavailable())
        .after(2)
        .times(3);
    let id = server.faults().add(fault);
    assert_eq!(codes(&client, MAPS, 7).await, [200, 200, 503, 503, 503, 200, 200]);
    assert_eq!(server.faults().met(id), 3);
    assert_eq!(server.faults().remove(id), 3);
    assert_eq!(server.faults().met(id), 0);
}

#[tokio::test]
async fn faults_are_taken_away() {
    let (server, client) = fresh();
    let unavailable = || Fault::new(Matching::everything(), Effect::unavailable());
    let (first, second) = (server.faults().add(unavailable()), server.faults().add(unavailable()));
    assert_ne!(first, second);
    assert_eq!(server.faults().remove(first), 0);
    assert_eq!(codes(&client, MAPS, 1).await, [503]);
    assert_eq!(server.faults().met(second), 1);
    server.faults().clear();
    assert_eq!(codes(&client, MAPS, 1).await, [200]);
}

/// All faults that match count a request, also those behind one that ends it.
#[tokio::test]
async fn the_first_that_ends_a_request_is_what_is_seen() {
    let (server, client) = fresh();
    let everything = Matching::everything;
    server
        .faults()
        .add(Fault::new(everything(), Effect::unavailable()).once());
    let second = server
        .faults()
        .add(Fault::new(everything(), Effect::too_many_requests(1)).times(2));
    assert_eq!(codes(&client, MAPS, 3).await, [503, 429, 200]);
    assert_eq!(server.faults().met(second), 2);
}

#[tokio::test]
async fn what_is_said_must_match() {
    let scale = "/apis/apps/v1/namespaces/a/deployments/x/scale";
    // Each is met by exactly one of the paths.
    let paths = [
        MAPS,
        "/api/v1/namespaces/a/configmaps",
        "/api/v1/namespaces/default/configmaps/y",
        "/apis/apps/v1/namespaces/a/deployments/x",
        scale,
        "/version",
    ];
    let matchings = [
        Matching::verbs(["list"]).resource("configmaps").namespace("default"),
        Matching::verbs(["list"]).namespace("a"),
        Matching::everything().name("y"),
        Matching::everything().resource("deployments.apps").subresource(""),
        Matching::everything().subresource("scale"),
        Matching::everything().resource("/version"),
    ];
    for (right, matching) in matchings.into_iter().enumerate() {
        let (server, client) = fresh();
        server
            .faults()
            .add(Fault::new(matching.clone(), Effect::too_many_requests(1)));
        for (index, path) in paths.iter().enumerate() {
            let met = client.get(path).await.code == 429;
            assert_eq!(met, index == right, "{matching:?} and {path}");
        }
    }
}

#[tokio::test]
async fn users_and_predicates_match() {
    let (server, client) = fresh();
    let other = Client::new(server.service_as(User::new("other", ["system:masters"])));
    server
        .faults()
        .add(Fault::new(Matching::everything().user("other"), Effect::unavailable()));
    assert_eq!((client.get(MAPS).await.code, other.get(MAPS).await.code), (200, 503));
    server.faults().clear();
    let by_agent = Matching::writes().when(|request| request.user_agent.starts_with("test/"));
    server.faults().add(Fault::new(by_agent, Effect::conflict()));
    assert_eq!(
        (client.get(MAPS).await.code, client.post(MAPS, &map("a")).await.code),
        (200, 409)
    );
}

#[tokio::test]
async fn every_write_is_a_write() {
    let (server, client) = fresh();
    create(&client, &["a"]).await;
    let path = format!("{MAPS}/a");
    let id = server
        .faults()
        .add(Fault::new(Matching::writes(), Effect::unavailable()));
    let codes = [
        client.post(MAPS, &map("b")).await.code,
        client.put(&path, &map("a")).await.code,
        client.merge(&path, &json!({})).await.code,
        client.delete(&path).await.code,
        client.delete(MAPS).await.code,
        client.get(&path).await.code,
    ];
    assert_eq!(codes, [503, 503, 503, 503, 503, 200]);
    assert_eq!(server.faults().met(id), 5);
}

/// A predicate may look at the faults itself, and add some.
#[tokio::test]
async fn a_predicate_may_change_the_faults() {
    let (server, client) = fresh();
    let inner = server.clone();
    let reentrant = Matching::everything().when(move |_| {
        inner
            .faults()
            .add(Fault::new(Matching::everything(), Effect::unavailable()).once());
        false
    });
    let id = server.faults().add(Fault::new(reentrant, Effect::conflict()));
    // The fault that is added counts from the next request on.
    assert_eq!(client.get(MAPS).await.code, 200);
    server.faults().remove(id);
    assert_eq!(client.get(MAPS).await.code, 503);
}
