//! A method that is not `async`.
use operatorkit::prelude::*;

use operatorkit::k8s_openapi::api::core::v1::ConfigMap;

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Settings))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource]
pub struct Settings;

impl Manifest for Settings {
    type Operator = WebApp;
    type Object = ConfigMap;
    fn desired(&self, _: &WebApp, _: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(ConfigMap::default().into())
    }
}

fn main() {}
