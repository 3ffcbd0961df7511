//! Pairs that cannot pause, and a deletion that does something else than proceed.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(
    group = "demo.example.com", version = "v1", kind = "WebApp",
    pause, pause = "true", pause("example.com/paused"), pause("example.com/is paused", "true"), pause("a/b/c", "true"),
    pause("example.com/frozen", "yes"), pause("example.com/frozen", "no"), pause("example.com/frozen", "yes"),
    paused_deletion = "wait",
    resources(Web),
)]
pub struct WebAppSpec {
    pub image: String,
}

#[resource]
pub struct Web;

steps!(WebApp: Web);

fn main() {}
