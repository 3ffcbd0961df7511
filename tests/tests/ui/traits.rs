//! A resource implements one of three traits, for the operator that lists it.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Nothing, Foreign, Plain))]
pub struct WebAppSpec {
    pub image: String,
}

#[operator(group = "demo.example.com", version = "v1", kind = "Other", resources(Foreign))]
pub struct OtherSpec {
    pub image: String,
}

/// Implements none.
#[resource]
pub struct Nothing;

/// Belongs to another operator.
#[resource]
pub struct Foreign;

/// Has no `#[resource]`.
pub struct Plain;

steps!(Other: Foreign);

fn main() {}
