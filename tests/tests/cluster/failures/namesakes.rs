//! An object that went though our finalizer was on it, and a new one of its name that is there before all is undone.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{
    anyhow::ensure, k8s_openapi::api::core::v1::ConfigMap, kube::ResourceExt as _, prelude::*, serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually, wait_for};

use crate::scene::{Scene, config_maps};

#[operator(
    group = "namesakes.test",
    version = "v1",
    kind = "Site",
    namespaced,
    resources(Domain, Line, Page)
)]
pub(crate) struct SiteSpec {}

/// The names that a provider knows, and the tag of each: whoever makes a name anew has it.
type Names = Arc<Mutex<BTreeMap<String, String>>>;

/// A thing that is found by its tag, and deleted by its name.
#[resource(order = 1, delete_order = 2)]
pub(crate) struct Domain(Names);

impl External for Domain {
    type Operator = Site;
    type State = String;

    async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
        let names = self.0.lock().expect("not poisoned");
        let found = names.iter().find(|(_, tag)| *tag == token.as_str());
        Ok(found.map(|(name, _)| name.clone()))
    }

    async fn observe(&self, _site: &Site, name: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
        let is_there = self.0.lock().expect("not poisoned").contains_key(name);
        let observed = if is_there {
            Observed::Matches(name.clone())
        } else {
            Observed::Absent
        };
        Ok(observed.into())
    }

    async fn create(&self, site: &Site, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
        let name = site.name_any();
        let mut names = self.0.lock().expect("not poisoned");
        names.insert(name.clone(), token.as_str().to_owned());
        Ok(name.into())
    }

    async fn update(&self, _site: &Site, name: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
        Ok(name.clone().into())
    }

    async fn delete(&self, name: &String, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0.lock().expect("not poisoned").remove(name);
        Ok(().into())
    }
}

/// A line under the object's name in what many share.
#[resource(order = 1, delete_order = 2)]
pub(crate) struct Line(Names);

impl Step for Line {
    type Operator = Site;
    type Output = ();

    async fn ensure_created(&self, _site: &Site, cx: &Cx<Self>) -> Result<Flow<()>> {
        let line = format!("line of {}", cx.name());
        self.0.lock().expect("not poisoned").insert(line, String::new());
        Ok(().into())
    }

    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0
            .lock()
            .expect("not poisoned")
            .remove(&format!("line of {}", cx.name()));
        Ok(().into())
    }
}

#[resource(order = 2, delete_order = 1)]
pub(crate) struct Page;
config_maps!(Page of Site: "page");

#[tokio::test(start_paused = true)]
async fn what_a_new_object_of_the_name_has_is_left_alone() {
    let scene = Scene::alone("namesakes").await;
    scene.install::<Site>().await;
    let names = Names::default();
    let known = names.clone();
    let running = scene.start(App::new("sites").operator(move |_env| async move {
        Ok(SiteResources {
            domain: Domain(known.clone()),
            line: Line(known),
            page: Page,
        })
    }));
    let site = Site::new("x", SiteSpec {});
    let first = scene.create(&site).await;
    let _ready: Site = scene.ready("x").await;
    let hold = json!({ "metadata": { "finalizers": ["other.io/hold"] } });
    let _held: ConfigMap = scene.patch("x-page", hold).await;
    scene.delete_as_read(&first).await;
    let is_going = |map: &ConfigMap| map.metadata.deletion_timestamp.is_some();
    let _going = eventually(
        &scene.api::<ConfigMap>(),
        "x-page",
        "is being deleted",
        PATIENCE,
        is_going,
    )
    .await;

    let tag = |name: &str| names.lock().expect("not poisoned").get(name).cloned();
    let before = tag("x").expect("the first one's");
    scene.create(&site).await;
    wait_for("the second one has its thing", PATIENCE, async || {
        ensure!(tag("x").is_some_and(|tag| tag != before));
        Ok(())
    })
    .await;
    let its_own = tag("x");
    let free = json!({ "metadata": { "finalizers": null } });
    let _free: ConfigMap = scene.patch("x-page", free).await;
    let _ready: Site = scene.ready("x").await;
    // Longer than all that the first one may still be looked at.
    tokio::time::sleep(Duration::from_hours(1)).await;
    assert_eq!((tag("x"), tag("line of x")), (its_own, Some(String::new())));
    running.stop().await;
}
