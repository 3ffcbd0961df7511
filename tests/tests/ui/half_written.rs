//! Values that are not written yet: one error each, and the types exist.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = , status = , resources(Web, Cache))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = , delete_order)]
pub struct Web;

#[resource(order = 2, after = Web, delete_order = 1)]
pub struct Cache;

steps!(WebApp: Web, Cache);

fn main() {
    let _ = WebAppResources { web: Web, cache: Cache };
}
