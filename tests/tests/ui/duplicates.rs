//! A resource that is listed twice, and two of one name.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web, Cache, Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource]
pub struct Web;

#[resource(name = "web")]
pub struct Cache;

steps!(WebApp: Web, Cache);

fn main() {
    let _ = WebAppResources { web: Web, cache: Cache };
}
