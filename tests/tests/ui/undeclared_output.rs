//! An output is read without `after(..)`.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Network, Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1)]
pub struct Network;

#[resource(order = 2)]
pub struct Web;

steps!(WebApp: Network);

impl Step for Web {
    type Operator = WebApp;
    type Output = ();
    async fn ensure_created(&self, _: &WebApp, cx: &Cx<Self>) -> Result<Flow<()>> {
        cx.after::<Network>().output()?;
        Ok(().into())
    }
}

fn main() {}
