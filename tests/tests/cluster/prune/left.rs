//! An `External` that left the code: what it stored keeps the finalizer, and says what to do.

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::api::{Patch, PatchParams},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, eventually_gone, wait_for};

use crate::scene::{Scene, condition, config_maps, line};

mod first {
    use super::*;

    #[operator(
        group = "prune.test",
        version = "v1",
        kind = "Keeping",
        namespaced,
        resources(Settings, Thing)
    )]
    pub(crate) struct KeepingSpec {}

    #[resource(order = 1)]
    pub(crate) struct Settings;
    config_maps!(Settings of Keeping: "settings");

    #[resource(order = 2)]
    pub(crate) struct Thing;

    impl External for Thing {
        type Operator = Keeping;
        type State = String;

        async fn find(&self, _token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
            Ok(None)
        }

        async fn observe(&self, _object: &Keeping, state: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
            Ok(Observed::Matches(state.clone()).into())
        }

        async fn create(&self, _object: &Keeping, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
            Ok(token.to_string().into())
        }

        async fn update(&self, _object: &Keeping, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
            Ok(state.clone().into())
        }

        async fn delete(&self, _state: &String, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
            cx.events().normal("ThingDeleted", "by its own code");
            Ok(().into())
        }
    }

    pub(crate) fn app() -> App {
        App::new("first").operator(|_env| async {
            Ok(KeepingResources {
                settings: Settings,
                thing: Thing,
            })
        })
    }
}

mod second {
    use super::*;

    #[operator(
        group = "prune.test",
        version = "v1",
        kind = "Keeping",
        namespaced,
        resources(Settings)
    )]
    pub(crate) struct KeepingSpec {}

    #[resource(order = 1)]
    pub(crate) struct Settings;
    config_maps!(Settings of Keeping: "settings");

    pub(crate) fn app() -> App {
        App::new("second").operator(|_env| async { Ok(KeepingResources { settings: Settings }) })
    }
}

use first::Keeping;

/// `x`, made by the first version, handled forwards and deleted under the second, which does not know `thing`.
async fn blocked(cluster: &'static Cluster, name: &'static str) -> (Scene, crate::scene::Running) {
    let scene = Scene::on(cluster, name).await;
    scene.install::<Keeping>().await;
    let running = scene.start(first::app());
    scene.create(&Keeping::new("x", first::KeepingSpec {})).await;
    let _ready: Keeping = scene.ready("x").await;
    running.stop().await;

    let running = scene.start(second::app());
    let _touched: Keeping = scene
        .patch("x", json!({ "metadata": { "annotations": { "pass": "please" } } }))
        .await;
    wait_for("the second version has run forwards", PATIENCE, async || {
        let object = to_value(scene.api::<Keeping>().get("x").await?)?;
        ensure!(line(&object, "thing") == Value::Null && line(&object, "settings")["phase"] == "Ready");
        Ok(())
    })
    .await;
    scene.delete::<Keeping>("x").await;
    let shown: Keeping = scene.condition("x", "Deleting", "True", "UnknownExternal").await;
    let shown = to_value(&shown).expect("JSON");
    let message = condition(&shown, "Deleting")["message"]
        .as_str()
        .expect("as expected")
        .to_owned();
    for part in ["`thing`", "retired", "decision: abandon"] {
        assert!(message.contains(part), "{message}");
    }
    // It was made after `settings`, so `settings` waits for it.
    assert_eq!(line(&shown, "settings")["waitingOn"], json!(["thing"]), "{shown}");
    (scene, running)
}

async fn an_external_that_left_the_code_waits_for_a_persons_decision(cluster: &'static Cluster) {
    let (scene, running) = blocked(cluster, "left-abandon").await;
    let decision = json!({ "status": { "operatorkit": { "state": { "thing": { "decision": "abandon" } } } } });
    let _decided = scene
        .api::<Keeping>()
        .patch_status("x", &PatchParams::default(), &Patch::Merge(decision))
        .await
        .unwrap();
    eventually_gone(&scene.api::<Keeping>(), "x", PATIENCE).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-settings", PATIENCE).await;
    wait_for("an Event tells of the decision", PATIENCE, async || {
        let events = scene.events("x").await;
        ensure!(events.iter().any(|event| event["reason"] == "Abandoned"), "{events:?}");
        Ok(())
    })
    .await;
    running.stop().await;
}

async fn an_external_that_comes_back_into_the_code_is_deleted(cluster: &'static Cluster) {
    let (scene, running) = blocked(cluster, "left-back").await;
    running.stop().await;
    let running = scene.start(first::app());
    eventually_gone(&scene.api::<Keeping>(), "x", PATIENCE).await;
    wait_for("its own code has deleted it", PATIENCE, async || {
        let events = scene.events("x").await;
        ensure!(
            events.iter().any(|event| event["reason"] == "ThingDeleted"),
            "{events:?}"
        );
        Ok(())
    })
    .await;
    running.stop().await;
}

crate::servers::on_both! {
    an_external_that_left_the_code_waits_for_a_persons_decision,
    an_external_that_comes_back_into_the_code_is_deleted,
}
