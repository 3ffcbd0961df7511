//! `mirror`: an existing kind, of which the children are, too.

#[expect(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../../examples/mirror/main.rs"]
pub(crate) mod program;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    serde_json::{from_value, json},
};
use operatorkit_testing::explorer::{Explorer, Report, Scenario, Subject};

use self::program::app;

fn life() -> Scenario {
    let original = json!({
        "metadata": { "name": "x", "labels": { "demo.operatorkit.dev/mirror": "true" } },
        "data": { "a": "1" },
    });
    let original: ConfigMap = from_value(original).expect("a ConfigMap");
    let other =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "other" }, "data": { "a": "1" } });
    Scenario::new("mirror", || Subject::app(app))
        .given(&other)
        .create(&original)
        .change::<ConfigMap>("x", json!({ "data": { "a": "2", "b": "3" } }))
        .delete::<ConfigMap>("x")
}

pub(crate) fn explore() -> Report {
    Explorer::new(life()).pairs(25).run()
}
