//! A `Controller` with children that it owns: it converges, also when requests fail and watches break, and its children go with
//! their owner.

use std::{sync::Arc, time::Duration};

use futures::StreamExt as _;
use operatorkit::{
    k8s_openapi::{
        api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{
        self, Api, Client, CustomResource, CustomResourceExt as _, Resource as _, ResourceExt as _,
        api::{DeleteParams, Patch, PatchParams, PostParams},
        runtime::{Controller, controller::Action, watcher},
    },
    schemars::JsonSchema,
    serde::{Deserialize, Serialize},
    serde_json::json,
};
use operatorkit_apiserver::{
    ApiServer,
    fault::{Effect, Fault, Interference, Matching},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use super::ways::{Way, ways};

#[derive(Clone, Debug, CustomResource, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "clients.operatorkit.dev",
    version = "v1",
    kind = "Greeting",
    namespaced,
    status = "GreetingStatus",
    crates(
        kube_core = "operatorkit::kube::core",
        k8s_openapi = "operatorkit::k8s_openapi",
        schemars = "operatorkit::schemars",
        serde = "operatorkit::serde",
        serde_json = "operatorkit::serde_json"
    )
)]
#[serde(crate = "operatorkit::serde", rename_all = "camelCase")]
#[schemars(crate = "operatorkit::schemars")]
struct GreetingSpec {
    text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "operatorkit::serde", rename_all = "camelCase")]
#[schemars(crate = "operatorkit::schemars")]
struct GreetingStatus {
    said: String,
}

const MANAGER: &str = "greeter";

/// Says in a ConfigMap what the spec says, and then in the status that it is said.
async fn reconcile(greeting: Arc<Greeting>, client: Arc<Client>) -> kube::Result<Action> {
    let namespace = greeting.namespace().unwrap_or_default();
    let (maps, greetings) = (
        Api::<ConfigMap>::namespaced(client.as_ref().clone(), &namespace),
        Api::<Greeting>::namespaced(client.as_ref().clone(), &namespace),
    );
    let name = greeting.name_any();
    let text = &greeting.spec.text;
    let map = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": name, "ownerReferences": [greeting.controller_owner_ref(&())] }, "data": { "text": text },
    });
    let apply = PatchParams::apply(MANAGER).force();
    maps.patch(&name, &apply, &Patch::Apply(&map)).await?;
    let status = json!({
        "apiVersion": Greeting::api_version(&()), "kind": Greeting::kind(&()), "status": { "said": text },
    });
    greetings.patch_status(&name, &apply, &Patch::Apply(&status)).await?;
    Ok(Action::await_change())
}

async fn run(client: Client) {
    let all = || watcher::Config::default();
    Controller::new(Api::<Greeting>::all(client.clone()), all())
        .owns(Api::<ConfigMap>::all(client.clone()), all())
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_millis(50)),
            Arc::new(client),
        )
        .for_each(|_| async {})
        .await;
}

/// The definition is written and served at once.
async fn define(client: &Client) {
    let crds = Api::<CustomResourceDefinition>::all(client.clone());
    crds.create(&PostParams::default(), &Greeting::crd())
        .await
        .expect("the definition");
}

fn greeting(name: &str, text: &str) -> Greeting {
    Greeting::new(name, GreetingSpec { text: text.into() })
}

fn says(map: &ConfigMap, text: &str) -> bool {
    map.data
        .as_ref()
        .and_then(|data| data.get("text"))
        .is_some_and(|said| said == text)
}

/// One life: created, changed, its child disturbed, deleted.
async fn life(way: &Way, name: &str) {
    println!("{}: {name}", way.name);
    let maps = Api::<ConfigMap>::default_namespaced(way.client.clone());
    let greetings = Api::<Greeting>::default_namespaced(way.client.clone());
    greetings
        .create(&PostParams::default(), &greeting(name, "hello"))
        .await
        .expect("it is created");
    eventually(&maps, name, "says hello", PATIENCE, |map| says(map, "hello")).await;
    eventually(&greetings, name, "has said hello", PATIENCE, |it| {
        it.status.as_ref().is_some_and(|status| status.said == "hello")
    })
    .await;

    let change = json!({ "spec": { "text": "bye" } });
    greetings
        .patch(name, &PatchParams::default(), &Patch::Merge(&change))
        .await
        .expect("it is changed");
    eventually(&maps, name, "says bye", PATIENCE, |map| says(map, "bye")).await;
    // The controller notices its children: one that is changed, and one that is gone.
    let wrong = json!({ "data": { "text": "wrong" } });
    maps.patch(name, &PatchParams::default(), &Patch::Merge(&wrong))
        .await
        .expect("the child is changed");
    eventually(&maps, name, "says bye again", PATIENCE, |map| says(map, "bye")).await;
    let gone = maps
        .delete(name, &DeleteParams::default())
        .await
        .expect("the child is deleted");
    assert!(gone.is_right(), "it is gone at once");
    eventually(&maps, name, "is back", PATIENCE, |map| says(map, "bye")).await;

    greetings
        .delete(name, &DeleteParams::default())
        .await
        .expect("it is deleted");
    eventually_gone(&maps, name, PATIENCE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_converges_and_its_children_go() {
    for way in ways(ApiServer::builder).await {
        define(&way.client).await;
        let controller = tokio::spawn(run(way.client.clone()));
        life(&way, "plain").await;
        controller.abort();
    }
}

/// Requests that fail in every way, and watches that break in every way: it converges all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_converges_through_faults() {
    for way in ways(ApiServer::builder).await {
        define(&way.client).await;
        let faults = way.server.faults();
        let patches = || Matching::verbs(["patch"]).when(|request| request.user_agent != "test");
        let effects = [
            Effect::conflict(),
            Effect::internal_error(),
            Effect::unavailable(),
            Effect::DoneButDropped,
            Effect::Drop,
            Effect::timeout(),
            Effect::webhook_denied("a.example.com", "not now"),
        ];
        let ours = |matching: Matching| matching.namespace("default").subresource("status");
        let mut met = Vec::new();
        for effect in effects {
            met.push(faults.add(Fault::new(ours(patches()), effect).once()));
        }
        for interference in [
            Interference::BreakAfter(1),
            Interference::EndAfter(1),
            Interference::ExpireAfter(1),
        ] {
            let watches = Matching::verbs(["watch"]).resource("configmaps");
            met.push(faults.add(Fault::new(watches, Effect::Watch(interference)).once()));
        }
        let controller = tokio::spawn(run(way.client.clone()));
        for number in 0..4 {
            life(&way, &format!("faulty-{number}")).await;
        }
        for fault in met {
            assert_eq!(faults.met(fault), 1, "{}: {fault:?}", way.name);
        }
        controller.abort();
    }
}
