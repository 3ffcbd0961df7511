//! A child whose parts have another order in each pass: nothing is ever quiet, and that is told.

use std::collections::HashMap;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::CustomResourceExt as _,
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::explorer::{Explorer, Scenario, Subject};

#[operator(
    group = "orders.test",
    version = "v1",
    kind = "Shuffled",
    namespaced,
    resources(Deck)
)]
pub(crate) struct ShuffledSpec {}

#[resource]
pub(crate) struct Deck;

impl Manifest for Deck {
    type Operator = Shuffled;
    type Object = ConfigMap;
    async fn desired(&self, _shuffled: &Shuffled, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        // Each map of the standard library has an order of its own.
        let cards: HashMap<u32, ()> = (0..52).map(|card| (card, ())).collect();
        let text: Vec<String> = cards.keys().map(ToString::to_string).collect();
        let map = json!({ "metadata": { "name": cx.name() }, "data": { "cards": text.join("\n") } });
        Ok(from_value::<ConfigMap>(map)?.into())
    }
}

fn app() -> App {
    App::new("shuffled").operator(|_env| async { Ok(ShuffledResources { deck: Deck }) })
}

#[test]
fn an_order_that_changes_is_reported() {
    let life = Scenario::new("shuffled", || Subject::app(app))
        .crd(Shuffled::crd())
        .create(&Shuffled::new("x", ShuffledSpec {}))
        .delete::<Shuffled>("x");
    let report = Explorer::new(life).run();
    assert!(
        report.broken_rules().contains("all is quiet after convergence"),
        "{report}"
    );
}
