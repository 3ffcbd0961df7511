//! A derive above the attribute cannot be seen by it, and comes twice. The remedy is to write it below.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[derive(Clone)]
#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[derive(Debug)]
#[data]
pub struct Size {
    pub width: u32,
}

#[resource]
pub struct Web;

steps!(WebApp: Web);

fn main() {}
