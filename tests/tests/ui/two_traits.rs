//! A resource that implements two of the three traits.
use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, prelude::*};

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Both))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource]
pub struct Both;

steps!(WebApp: Both);

impl Manifest for Both {
    type Operator = WebApp;
    type Object = ConfigMap;
    async fn desired(&self, _: &WebApp, _: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(ConfigMap::default().into())
    }
}

fn main() {}
