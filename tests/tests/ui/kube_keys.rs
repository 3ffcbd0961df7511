//! Keys that go to kube's derive in a shape that it does not take: the kind exists nevertheless.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(
    group = "demo.example.com", version = "v1", kind = "WebApp",
    shortname, category = 1, plural = "a", plural = "b", served = "no", deprecated(true), derive = "not a path", attr = "=", label("one"),
    printcolumn(name = "Image", type = "string", json_path = ".spec.image"),
    printcolumn(name = "Image", type_ = "text", json_path = "spec.image"),
    printcolumn(name = ),
    scale(status_replicas_path = ".status.replicas"),
    resources(Web),
)]
pub struct WebAppSpec {
    pub image: String,
}

#[resource]
pub struct Web;

steps!(WebApp: Web);

fn main() {
    let _ = WebApp::new("x", WebAppSpec { image: String::new() });
}
