//! Lists of layers that are none.
use operatorkit::{layer::Trace, prelude::*};

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", layers = Trace, resources(Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(layers(Trace, Retry::new(3) +))]
pub struct Web;

steps!(WebApp: Web);

fn main() {}
