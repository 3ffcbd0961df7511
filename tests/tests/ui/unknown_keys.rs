//! Keys that do not exist, that are not supported, and that stand twice.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", namespace, paused_deletions = "proceed", cel = "x", resources(Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(delete_ordr = 1, order = 1, colour = "red", order = 2, on_delete = "drop")]
pub struct Web;

#[data(rename = "x")]
pub struct Size {
    pub width: u32,
}

steps!(WebApp: Web);

fn main() {}
