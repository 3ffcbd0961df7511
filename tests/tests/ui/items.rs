//! Attributes on items that they do not fit.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(First))]
pub struct WebAppSpec(String);

#[operator(group = "demo.example.com", version = "v1", kind = "Other", resources(Second))]
pub enum OtherSpec {
    A,
}

#[operator(group = "demo.example.com", version = "v1", kind = "Unit", resources(Third))]
pub struct UnitSpec;

#[resource(order = 1)]
pub enum First {
    A,
}

#[resource]
pub struct Second;

#[resource]
pub struct Third;

#[resource]
pub fn desired() {}

#[data]
pub trait Size {}

steps!(WebApp: First);
steps!(Other: Second);
steps!(Unit: Third);

fn main() {}
