//! What a resource waits for is not in `resources(..)`.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web, Cache))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1, delete_order = 1)]
pub struct Network;

#[resource(order = 2, delete_order = 1, after(Network))]
pub struct Web;

#[resource(order = 2, delete_after(Network))]
pub struct Cache;

steps!(WebApp: Network, Web, Cache);

fn main() {}
