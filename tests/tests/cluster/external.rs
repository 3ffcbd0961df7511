//! Things outside Kubernetes: intent, token and State, whatever happens in between.

mod cloud;
mod decisions;
mod existing;
mod kept;
mod life;
mod recovery;
mod restored;
mod wish;

use std::sync::Arc;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually_gone};

use self::{
    cloud::{Cloud, ThingId},
    wish::{Wish, in_cloud},
};
use crate::scene::{Object, Scene};

/// A disk in a network, and a note of both in a ConfigMap.
#[operator(
    group = "external.test",
    version = "v1",
    kind = "Machine",
    namespaced,
    resources(Net, Disk, Notes)
)]
#[derive(PartialEq)]
pub(crate) struct MachineSpec {
    pub(crate) size: u32,
    pub(crate) wanted: bool,
}

const FINALIZER: &str = "operatorkit.dev/machines.external.test";

#[resource(order = 1, delete_order = 3)]
pub(crate) struct Net(Arc<Cloud>);
in_cloud!(Net, Machine, Machine, "net");

#[resource(order = 2, delete_order = 1, after(Net))]
pub(crate) struct Disk(Arc<Cloud>);
in_cloud!(Disk, Machine, Machine, "disk");

#[resource(order = 3, delete_order = 2, after(Net))]
pub(crate) struct Notes;

impl Manifest for Notes {
    type Operator = Machine;
    type Object = ConfigMap;
    async fn desired(&self, _object: &Machine, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let Ok(net) = cx.after::<Net>().output() else {
            return Ok(Desired::none());
        };
        Ok(crate::scene::config_map(cx.name(), json!({ "net": net.id }))?.into())
    }
}

impl Wish for Machine {
    fn wanted(&self) -> bool {
        self.spec.wanted
    }
    fn size(&self) -> u32 {
        self.spec.size
    }
}

fn machine(name: &str) -> Machine {
    Machine::new(name, MachineSpec { size: 1, wanted: true })
}

fn app(cloud: &Arc<Cloud>) -> App {
    let cloud = cloud.clone();
    App::new("external").operator(|_env| async {
        Ok(MachineResources {
            net: Net(cloud.clone()),
            disk: Disk(cloud),
            notes: Notes,
        })
    })
}

/// A namespace where the kind is installed, and a provider.
async fn scene(name: &'static str) -> (Scene, Arc<Cloud>) {
    let scene = Scene::alone(name).await;
    scene.install::<Machine>().await;
    (scene, Cloud::new())
}

/// What is stored for a resource in the status of an object.
fn slot(object: &impl Object, resource: &str) -> Value {
    to_value(object).expect("JSON")["status"]["operatorkit"]["state"][resource].clone()
}

fn finalizers(object: &impl Object) -> Vec<String> {
    object.meta().finalizers.clone().unwrap_or_default()
}

impl Scene {
    async fn machine(&self) -> Machine {
        self.api::<Machine>().get("x").await.expect("it exists")
    }

    async fn gone(&self) {
        eventually_gone(&self.api::<Machine>(), "x", PATIENCE).await;
    }

    /// Whether there is an Event with this reason about `x`.
    async fn has_event(&self, reason: &str) -> bool {
        self.events("x").await.iter().any(|event| event["reason"] == reason)
    }
}
