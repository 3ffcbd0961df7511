//! An operator without resources, which `#[operator]` refuses when it is compiled, is refused when it starts if it was written by hand.

use operatorkit::{
    Operator, Resources, RunSettings, SinglePasses, graph, k8s_openapi::api::core::v1::ConfigMap, status::NoStatus,
};

use crate::scene::Scene;

struct Idle;

struct IdleResources;

impl Resources for IdleResources {
    type Operator = Idle;
}

impl Operator for Idle {
    type Object = ConfigMap;
    type Status = NoStatus;
    type Resources = IdleResources;
    const NAME: Option<&'static str> = Some("idle.parity.test");
    const NODES: &'static [graph::Meta] = &[];
    fn graph(_: IdleResources) -> graph::Graph<Self> {
        graph::Graph::new()
    }
}

#[tokio::test(start_paused = true)]
async fn an_operator_without_resources_is_refused() {
    let scene = Scene::alone("parity-idle").await;
    let refused = SinglePasses::<Idle>::new(IdleResources, scene.client.clone(), &RunSettings::default());
    let why = format!("{:#}", refused.expect_err("it cannot run"));
    assert_eq!(
        why,
        "the graph of the operator `idle.parity.test` cannot run: it has no resources"
    );
}
