//! Three operators on one object: Go operatorkit's test *parallel*.

use std::{sync::Arc, time::Duration};

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, prelude::*, serde_json::json};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use super::{
    resync,
    script::{Answer, Failing, Script},
};
use crate::scene::Scene;

/// The only resource of an operator.
macro_rules! only {
    ($resource:ident of $operator:ident, $name:literal) => {
        impl Step for $resource {
            type Operator = $operator;
            type Output = ();
            async fn ensure_created(&self, _object: &ConfigMap, _cx: &Cx<Self>) -> Result<Flow<()>> {
                self.0.call(concat!("x create ", $name), |_| {})
            }
            async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0
                    .call(concat!("x delete ", $name), |why| cx.keep_finalizer(why))
            }
        }
    };
}

mod a {
    use super::*;

    #[operator(for = ConfigMap, name = "a.flow.test", selector = "flow.test/parallel=true", resources(Only))]
    pub(crate) struct Watcher;

    #[resource]
    pub(crate) struct Only(pub(crate) Arc<Script>);
    only!(Only of Watcher, "a");
}

mod b {
    use super::*;

    #[operator(for = ConfigMap, name = "b.flow.test", selector = "flow.test/parallel=true", resources(Only))]
    pub(crate) struct Watcher;

    #[resource]
    pub(crate) struct Only(pub(crate) Arc<Script>);
    only!(Only of Watcher, "b");
}

mod c {
    use super::*;

    #[operator(for = ConfigMap, name = "c.flow.test", selector = "flow.test/parallel=true", resources(Only))]
    pub(crate) struct Watcher;

    #[resource]
    pub(crate) struct Only(pub(crate) Arc<Script>);
    only!(Only of Watcher, "c");
}

fn app(script: &Arc<Script>) -> App {
    let [one, two, three] = [script.clone(), script.clone(), script.clone()];
    App::new("parallel")
        .operator(|_env| async { Ok(a::WatcherResources { only: a::Only(one) }) })
        .operator(|_env| async { Ok(b::WatcherResources { only: b::Only(two) }) })
        .operator(|_env| async { Ok(c::WatcherResources { only: c::Only(three) }) })
}

fn finalizers(object: &ConfigMap) -> Vec<String> {
    let mut finalizers = object.metadata.finalizers.clone().unwrap_or_default();
    finalizers.sort();
    finalizers
}

#[tokio::test(start_paused = true)]
async fn each_operator_has_its_own_finalizer_and_goes_at_its_own_pace() {
    let scene = Scene::alone("flow-parallel").await;
    let script = Script::new();
    let running = scene.start_with(app(&script), resync(&scene, Duration::from_millis(300)));
    let api = scene.api::<ConfigMap>();
    let mut object = crate::scene::config_map("x", json!({})).expect("a ConfigMap");
    object.labels_mut().insert("flow.test/parallel".into(), "true".into());
    scene.create(&object).await;
    let all = ["a", "b", "c"].map(|name| format!("operatorkit.dev/{name}.flow.test"));
    eventually(&api, "x", "has three finalizers", PATIENCE, |object| {
        finalizers(object) == all
    })
    .await;

    script.on("x delete b", Answer::FailOnce);
    script.on("x delete c", Answer::Fail(Failing::default()));
    scene.delete::<ConfigMap>("x").await;
    eventually(&api, "x", "has the last finalizer", PATIENCE, |object| {
        finalizers(object) == all[2..]
    })
    .await;
    script.called("x delete c", 4).await;
    script.heal();
    eventually_gone(&api, "x", PATIENCE).await;
    // That others held the object has cost those that were done no further pass.
    let (a, b) = (script.count("x delete a"), script.count("x delete b"));
    assert_eq!((a, b), (1, 2), "{:?}", script.calls());
    running.stop().await;
}
