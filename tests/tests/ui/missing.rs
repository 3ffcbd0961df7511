//! An own kind without what it needs: the promised types exist nevertheless.
use operatorkit::prelude::*;

#[operator(namespaced, resources())]
pub struct WebAppSpec {
    pub image: String,
}

#[operator(group = "demo.example.com", version = "v1", kind = "Other")]
pub struct OtherSpec {
    pub image: String,
}

fn main() {
    let _ = (WebAppResources {}, OtherResources {});
    let _ = WebApp::new("x", WebAppSpec { image: String::new() });
}
