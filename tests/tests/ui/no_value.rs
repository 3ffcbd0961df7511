//! A value of a pass is asked for that nobody makes, and one is declared wrongly.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[operator(group = "demo.example.com", version = "v1", kind = "Shop", value = "Sessions", resources(Till))]
pub struct ShopSpec {
    pub image: String,
}

#[resource]
pub struct Web;

#[resource]
pub struct Till;

impl Step for Web {
    type Operator = WebApp;
    type Output = ();
    async fn ensure_created(&self, _: &WebApp, cx: &Cx<Self>) -> Result<Flow<()>> {
        cx.value().await?;
        Ok(().into())
    }
}

steps!(Shop: Till);

fn main() {}
