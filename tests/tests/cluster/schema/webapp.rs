//! The example `webapp`: what its schema refuses.

use operatorkit::serde_json::{json, to_value};
use operatorkit_testing::Cluster;

use super::Written;
use crate::{servers::on_both, webapps::WebApps};

on_both!(a_web_app_has_no_less_than_no_pods);

async fn a_web_app_has_no_less_than_no_pods(cluster: &'static Cluster) {
    let webapps = WebApps::on(cluster, "fewer-than-none").await;
    let written = Written {
        api: webapps.api,
        kind: json!({ "apiVersion": "demo.operatorkit.dev/v1", "kind": "WebApp" }),
    };
    let spec = |replicas: i64| json!({ "image": "nginx", "replicas": replicas, "message": "hi" });
    let refusal = written.create("less", spec(-4)).await.expect_err("less than none");
    assert!(refusal.contains("spec.replicas"), "{refusal}");
    assert!(refusal.contains("greater than or equal to 0"), "{refusal}");
    let stored = written.create("none", spec(0)).await.expect("none is a number");
    assert_eq!(to_value(stored).expect("JSON")["replicas"], 0);
}
