//! An edge against the numbers, in both directions.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Network, Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 2, delete_order = 2)]
pub struct Network;

#[resource(order = 2, delete_order = 1, after(Network), delete_after(Network))]
pub struct Web;

steps!(WebApp: Network, Web);

fn main() {}
