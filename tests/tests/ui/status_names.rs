//! A status with a field of operatorkit's own.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", status = WebAppStatus, resources(Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[data]
#[derive(Default)]
pub struct WebAppStatus {
    pub url: Option<String>,
    pub observed_generation: i64,
}

#[resource]
pub struct Web;

steps!(WebApp: Web);

fn main() {}
