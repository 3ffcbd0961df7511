//! Resources that wait for each other: numbers are part of a cycle, too.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Low, Edge, High, Free))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1, after(Edge), delete_after(Free))]
pub struct Low;

#[resource(after(High), delete_order = 1)]
pub struct Edge;

#[resource(order = 2, delete_order = 2)]
pub struct High;

#[resource(delete_after(Low))]
pub struct Free;

steps!(WebApp: Low, Edge, High, Free);

fn main() {}
