//! What is said of children does nothing where there are none, and what is said of a thing outside of Kubernetes nothing elsewhere.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Adopts, Optional, Asks, Keeps))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(adopt)]
pub struct Adopts;

#[resource(optional, namespaces = any)]
pub struct Optional;

#[resource(recover = "manual")]
pub struct Asks;

/// These are for all.
#[resource(on_delete = "keep", ready_within = "10m")]
pub struct Keeps;

steps!(WebApp: Adopts, Optional, Asks, Keeps);

fn main() {}
