//! The examples through random states of their objects: what an object was before does not count.

mod wrong;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::CustomResourceExt as _,
    serde_json::{from_value, json},
};
use operatorkit_testing::{
    explorer::{Scenario, Subject},
    states::{
        States,
        proptest::{arbitrary::any, collection::btree_map, strategy::Strategy as _},
        specs,
    },
};

use crate::{
    buckets::{
        self,
        program::{Bucket, BucketSpec},
    },
    mirror,
    webapp::{
        self,
        program::{WebApp, WebAppSpec},
    },
};

#[test]
fn what_a_webapp_was_before_does_not_count() {
    let drawn = specs(&WebApp::crd())
        .draw("/spec/image", "[a-z]{1,8}(:[0-9]{1,2})?")
        .draw("/spec/message", "[ -~\u{e9}\n]{0,12}")
        // Pods are not the operator's business, and cost time.
        .draw("/spec/replicas", (0..2).boxed());
    let spec = WebAppSpec {
        image: String::new(),
        replicas: 0,
        message: String::new(),
    };
    let scenario = Scenario::new("webapp", || Subject::app(webapp::program::app)).crd(WebApp::crd());
    let states = States::new(scenario.workloads(), &WebApp::new("x", spec));
    states.cases(24).run(drawn).assert_none();
}

#[test]
fn what_a_bucket_was_before_does_not_count() {
    let drawn = specs(&Bucket::crd()).draw("/spec/quota", any::<u32>().boxed());
    let scenario = Scenario::new("buckets", buckets::subject).crd(Bucket::crd());
    let states = States::new(scenario, &Bucket::new("x", BucketSpec { quota: 0 }));
    states.cases(24).run(drawn).assert_none();
}

#[test]
fn what_a_mirrored_map_was_before_does_not_count() {
    let data = btree_map("[a-c._-]{1,2}", "[ -~\u{e9}\n]{0,8}", 0..4).prop_map(|data| json!(data));
    // A name of these alone is none.
    let data = data.prop_filter("`.` and `..` are no keys", |data| {
        data.get(".").or(data.get("..")).is_none()
    });
    let original = json!({ "metadata": { "name": "x", "labels": { "demo.operatorkit.dev/mirror": "true" } } });
    let original: ConfigMap = from_value(original).expect("a ConfigMap");
    let scenario = Scenario::new("mirror", || Subject::app(mirror::program::app));
    let states = States::new(scenario, &original).field("data");
    states.cases(32).run(data).assert_none();
}
