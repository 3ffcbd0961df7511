//! An object that goes while a pass over it is under way: that pass begins nothing more, and what there is goes in the order of the deletion.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{Api, ResourceExt, api::ListParams},
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{
    PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    eventually_gone, wait_for,
};

use crate::scene::{Running, Scene, config_map};

/// Trees between two things outside. With a change there is a tree less, the others are painted, and what is named is made.
#[operator(
    group = "meanwhile.deletion.test",
    version = "v1",
    kind = "Plot",
    namespaced,
    resources(Well, Trees, Fence)
)]
pub(crate) struct PlotSpec {
    trees: usize,
    makes: String,
}

/// What was done outside: `create well`, `delete well beside x-0 x-1`.
#[derive(Clone, Debug, Default)]
struct Journal(Arc<Mutex<Vec<String>>>);

impl Journal {
    fn note(&self, line: String) {
        self.0.lock().expect("not poisoned").push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().expect("not poisoned").clone()
    }
}

/// The first that is made and the first that goes.
#[resource(order = 0, delete_order = 0)]
pub(crate) struct Well(Journal);

#[resource(order = 1, delete_order = 1)]
pub(crate) struct Trees;

/// The last that is made and, like the well, the first that goes.
#[resource(order = 2, delete_order = 0)]
pub(crate) struct Fence(Journal);

impl Manifest for Trees {
    type Operator = Plot;
    type Object = ConfigMap;
    async fn desired(&self, plot: &Plot, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let paint = json!({ "paint": plot.spec.makes });
        let trees = (0..plot.spec.trees).map(|tree| config_map(&cx.child_name(&tree.to_string()), paint.clone()));
        Ok(trees.collect::<Result<Vec<_>>>()?.into())
    }
}

macro_rules! outside {
    ($resource:ident, $name:literal) => {
        impl External for $resource {
            type Operator = Plot;
            type State = String;

            async fn wanted(&self, plot: &Plot, _cx: &Cx<Self>) -> Result<bool> {
                Ok(plot.spec.makes == $name)
            }

            async fn find(&self, _token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
                Ok(None)
            }

            async fn observe(&self, _plot: &Plot, state: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
                Ok(Observed::Matches(state.clone()).into())
            }

            async fn create(&self, _plot: &Plot, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
                self.0.note(concat!("create ", $name).into());
                Ok(token.to_string().into())
            }

            async fn update(&self, _plot: &Plot, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
                Ok(state.clone().into())
            }

            async fn delete(&self, _state: &String, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                let trees: Api<ConfigMap> = Api::namespaced(cx.client(), cx.namespace().unwrap_or_default());
                let trees = trees.list(&ListParams::default()).await?;
                let trees: Vec<_> = trees.iter().map(ResourceExt::name_any).collect();
                self.0
                    .note(format!(concat!("delete ", $name, " beside {}"), trees.join(" ")));
                Ok(().into())
            }
        }
    };
}
outside!(Well, "well");
outside!(Fence, "fence");

/// A plot with two trees whose operator has nothing to do, and what is done outside.
async fn plot(scene: &Scene) -> (Running, Journal) {
    scene.install::<Plot>().await;
    let journal = Journal::default();
    let noted = journal.clone();
    let app = App::new("plots").operator(move |_env| async move {
        Ok(PlotResources {
            well: Well(noted.clone()),
            trees: Trees,
            fence: Fence(noted),
        })
    });
    let running = scene.start(app);
    let spec = PlotSpec {
        trees: 2,
        makes: "nothing".into(),
    };
    scene.create(&Plot::new("x", spec)).await;
    let _ready: Plot = scene.ready("x").await;
    (running, journal)
}

/// Changes the plot, deletes it just before the operator's next write of its status but `skipped`, and waits until it is gone: what was
/// stored of the things outside just before, and what the operator has done to the trees since.
async fn deleted_before_a_write(scene: &Scene, makes: &str, skipped: u64) -> (Value, Vec<String>) {
    let writes = Matching::verbs(["patch"])
        .resource("plots.meanwhile.deletion.test")
        .subresource("status")
        .user(&scene.user);
    let faults = scene.cluster.faults().expect("the embedded server");
    let late = Fault::new(writes, Effect::Delay(Duration::from_secs(1)));
    let late = faults.add(late.after(skipped).once());
    let start = scene.mark().await;
    let _changed: Plot = scene
        .patch("x", json!({ "spec": { "trees": 1, "makes": makes } }))
        .await;
    wait_for("the write is on its way", PATIENCE, async || {
        operatorkit::anyhow::ensure!(faults.met(late) == 1);
        Ok(())
    })
    .await;
    let before: Plot = scene.api().get("x").await.expect("it is there");
    let stored = to_value(&before).expect("JSON")["status"]["operatorkit"]["state"].clone();
    scene.delete::<Plot>("x").await;
    eventually_gone(&scene.api::<Plot>(), "x", PATIENCE).await;
    let writes = scene.requests(start).await.of("configmaps").writes();
    let writes = writes
        .iter()
        .map(|write| format!("{} {}", write.verb, write.object.name));
    let mut writes: Vec<String> = writes.collect();
    // Those of one resource go at once.
    writes.sort();
    (stored, writes)
}

#[tokio::test(start_paused = true)]
async fn nothing_is_made_outside_for_an_object_that_goes_before_the_intent_is_stored() {
    let scene = Scene::alone("before-intent").await;
    let (running, journal) = plot(&scene).await;
    let (stored, trees) = deleted_before_a_write(&scene, "well", 0).await;
    assert_eq!(stored, Value::Null);
    assert_eq!(journal.lines(), [""; 0]);
    // By the deletion: no tree is painted, and none goes by itself.
    assert_eq!(trees, ["delete x-0", "delete x-1"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_comes_after_is_not_applied_to_an_object_that_goes_before_the_state_is_stored() {
    let scene = Scene::alone("before-state").await;
    let (running, journal) = plot(&scene).await;
    let (stored, trees) = deleted_before_a_write(&scene, "well", 1).await;
    assert!(
        stored["well"]["state"].is_null() && stored["well"].is_object(),
        "an intent: {stored}"
    );
    assert_eq!(journal.lines(), ["create well", "delete well beside x-0 x-1"]);
    assert_eq!(trees, ["delete x-0", "delete x-1"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_pruned_of_an_object_that_goes_before_the_last_state_is_stored() {
    let scene = Scene::alone("before-prune").await;
    let (running, journal) = plot(&scene).await;
    let (stored, trees) = deleted_before_a_write(&scene, "fence", 1).await;
    assert!(
        stored["fence"]["state"].is_null() && stored["fence"].is_object(),
        "an intent: {stored}"
    );
    // The tree that nobody wants any more waits for the fence, as all that stands beside it.
    assert_eq!(journal.lines(), ["create fence", "delete fence beside x-0 x-1"]);
    assert_eq!(trees, ["delete x-0", "delete x-1", "patch x-0"]);
    running.stop().await;
}
