//! An operator of an existing kind says which objects, and nothing about a CRD.
use operatorkit::prelude::*;

include!("setup/steps.rs");

use operatorkit::k8s_openapi::api::core::v1::ConfigMap;

#[operator(for = ConfigMap, name = "everything", resources(Copy))]
pub struct Everything;

#[operator(for = ConfigMap, selector = "a=b", namespaced, kind = "WebApp", shortname = "x", resources(Other))]
pub struct Mixed {
    pub image: String,
}

#[resource]
pub struct Copy;

#[resource]
pub struct Other;

steps!(Everything: Copy);
steps!(Mixed: Other);

fn main() {}
