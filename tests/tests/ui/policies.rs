//! Policies with values that they do not have, and policies that contradict each other.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web, Late))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1, delete_order = 1)]
pub struct Web;

#[resource(order = 2, delete_order = 2, owner_reference)]
pub struct Late;

steps!(WebApp: Web, Late);

#[resource(adopt = "always", replace = "patch", ready_within = "10 minutes", delete_propagation = "foreground")]
pub struct Values;

#[resource(
    owner_reference(true),
    initial("spec/replicas", "/spec/containers/0", "/metadata/name", "/spec/a", "/spec/a/b", 7)
)]
pub struct Fields;

#[resource(ready_within = "0s", initial())]
pub struct Nothing;

#[resource(delete_after(Web), owner_reference)]
pub struct Ordered;

fn main() {}
