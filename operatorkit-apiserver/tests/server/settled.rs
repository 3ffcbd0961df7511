//! Waiting until the controllers have done everything.

use std::time::Duration;

use operatorkit_apiserver::{
    ApiServer,
    fault::{Effect, Fault, Matching},
};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::{
    client::Client,
    objects::{CRDS, MAPS, THINGS, create, map, names, owned, things},
};

#[tokio::test]
async fn what_an_owner_leaves_is_collected() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    let mut owner = client.post(MAPS, &map("owner")).await.expect(201);
    client.post(MAPS, &owned("child", &owner)).await.expect(201);
    // A chain of owners, each of the next.
    let last = owner.clone();
    for name in ["one", "two", "three"] {
        owner = client.post(MAPS, &owned(name, &owner)).await.expect(201);
    }
    create(&client, &["free"]).await;
    client.delete(&format!("{MAPS}/owner")).await.expect(200);
    server.settled().await;
    assert_eq!(names(&client.get(MAPS).await.expect(200)), ["free"]);
    // An owner that is not there any more is as good as none.
    client.post(MAPS, &owned("late", &last)).await.expect(201);
    server.settled().await;
    assert_eq!(client.get(&format!("{MAPS}/late")).await.code, 404);
}

#[tokio::test]
async fn a_namespace_goes_with_what_is_in_it() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    client
        .post("/api/v1/namespaces", &json!({ "metadata": { "name": "a" } }))
        .await
        .expect(201);
    client
        .post("/api/v1/namespaces/a/configmaps", &map("x"))
        .await
        .expect(201);
    client.delete("/api/v1/namespaces/a").await.expect(200);
    server.settled().await;
    assert_eq!(client.get("/api/v1/namespaces/a").await.code, 404);
    assert_eq!(client.get("/api/v1/namespaces/a/configmaps/x").await.code, 404);
}

#[tokio::test]
async fn a_definition_goes_with_its_objects() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    client.post(CRDS, &things()).await.expect(201);
    let thing = json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "t" } });
    client.post(THINGS, &thing).await.expect(201);
    client.delete(&format!("{CRDS}/things.example.com")).await.expect(200);
    server.settled().await;
    assert_eq!(client.get(&format!("{CRDS}/things.example.com")).await.code, 404);
    assert_eq!(client.get(THINGS).await.code, 404);
}

/// What the controllers wait for themselves is not waited for.
#[tokio::test(start_paused = true)]
async fn the_finalizers_of_others_are_not_waited_for() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    client
        .post("/api/v1/namespaces", &json!({ "metadata": { "name": "a" } }))
        .await
        .expect(201);
    let mut held = map("held");
    held["metadata"]["finalizers"] = json!(["example.com/hold"]);
    client.post("/api/v1/namespaces/a/configmaps", &held).await.expect(201);
    client.delete("/api/v1/namespaces/a").await.expect(200);
    timeout(Duration::from_mins(1), server.settled())
        .await
        .expect("it settles");
    let namespace = client.get("/api/v1/namespaces/a").await.expect(200);
    assert_eq!(namespace["status"]["phase"], "Terminating");
    let conditions = namespace["status"]["conditions"].as_array().expect("conditions");
    let held = conditions
        .iter()
        .find(|it| it["type"] == "NamespaceFinalizersRemaining")
        .expect("the condition");
    assert_eq!(held["status"], "True");
    // And when they let go, it goes on.
    let free = json!({ "metadata": { "finalizers": null } });
    client
        .merge("/api/v1/namespaces/a/configmaps/held", &free)
        .await
        .expect(200);
    server.settled().await;
    assert_eq!(client.get("/api/v1/namespaces/a").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn a_server_with_nothing_to_do_is_settled() {
    for controllers in [true, false] {
        let server = ApiServer::builder().controllers(controllers).start();
        let before = Instant::now();
        server.settled().await;
        server.settled().await;
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}

/// A controller whose requests fail tries again, and gets there.
#[tokio::test(start_paused = true)]
async fn controllers_try_again() {
    let server = ApiServer::start();
    let client = Client::of(&server);
    let owner = client.post(MAPS, &map("owner")).await.expect(201);
    for name in ["a", "b"] {
        client.post(MAPS, &owned(name, &owner)).await.expect(201);
    }
    let collector = "system:serviceaccount:kube-system:generic-garbage-collector";
    let deletions = Matching::verbs(["delete"]).user(collector);
    let fault = server
        .faults()
        .add(Fault::new(deletions, Effect::internal_error()).times(3));
    client.delete(&format!("{MAPS}/owner")).await.expect(200);
    let gone = async {
        while !names(&client.get(MAPS).await.expect(200)).is_empty() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    timeout(Duration::from_mins(1), gone).await.expect("they go");
    assert_eq!(server.faults().met(fault), 3);
}
