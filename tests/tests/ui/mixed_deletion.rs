//! Some resources have a place in the deletion and some have none.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Network, Web, Cache, Queue))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1)]
pub struct Network;

#[resource(order = 2, delete_order = 1)]
pub struct Web;

#[resource(order = 2)]
pub struct Cache;

#[resource(order = 2, delete_after(Cache))]
pub struct Queue;

steps!(WebApp: Network, Web, Cache, Queue);

fn main() {}
