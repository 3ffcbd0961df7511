//! Field selectors that the API server would refuse.
use operatorkit::k8s_openapi::api::core::v1::ConfigMap;
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(
    group = "demo.example.com", version = "v1", kind = "WebApp", namespaced,
    selectable = ".spec.image", field_selector = "spec.imag=nginx,spec.size=1",
    resources(Web)
)]
pub struct WebAppSpec {
    pub image: String,
}

#[operator(for = ConfigMap, name = "copies", field_selector = "metadata.name in (a)", resources(Copy))]
pub struct Copies;

#[resource]
pub struct Web;

#[resource]
pub struct Copy;

steps!(WebApp: Web);
steps!(Copies: Copy);

fn main() {}
