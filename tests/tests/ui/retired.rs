//! What is retired has no output: nothing may be after it but what is retired, too.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Network, Subnet, Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1, retired)]
pub struct Network;

#[resource(order = 2, after(Network), retired, on_delete = "keep")]
pub struct Subnet;

#[resource(order = 3, after(Subnet))]
pub struct Web;

steps!(WebApp: Network, Subnet, Web);

fn main() {}
