//! `webapp`: three children, in one order made and in another deleted.

#[expect(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../../examples/webapp/main.rs"]
pub(crate) mod program;

use operatorkit::{kube::CustomResourceExt as _, serde_json::json};
use operatorkit_testing::explorer::{Explorer, Report, Scenario, Subject};

use self::program::{WebApp, WebAppSpec, app};

fn life() -> Scenario {
    let spec = WebAppSpec {
        image: "nginx".into(),
        // Pods are not the operator's business, and cost time.
        replicas: 0,
        message: "hi".into(),
    };
    Scenario::new("webapp", || Subject::app(app))
        .crd(WebApp::crd())
        .workloads()
        .create(&WebApp::new("x", spec))
        .change::<WebApp>("x", json!({ "spec": { "message": "hello" } }))
        .delete::<WebApp>("x")
}

pub(crate) fn explore() -> Report {
    Explorer::new(life()).at_most(200).pairs(25).run()
}
