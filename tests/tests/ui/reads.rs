//! A kind is read that is not declared, elsewhere than declared, or declared wrongly.
use operatorkit::k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret};
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", namespaced, resources(Web, Wrong))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(reads(Secret))]
pub struct Web;

#[resource(reads, reads(Secret, everywhere), reads(Secret), reads(Secret), reads(Namespace))]
pub struct Wrong;

steps!(WebApp: Wrong);

impl Step for Web {
    type Operator = WebApp;
    type Output = ();
    async fn ensure_created(&self, _: &WebApp, cx: &Cx<Self>) -> Result<Flow<()>> {
        cx.read::<ConfigMap>("x").await?;
        cx.read_in::<Secret>("elsewhere", "x").await?;
        Ok(().into())
    }
}

fn main() {}
