//! Generics on each attribute.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web))]
pub struct WebAppSpec<T> {
    pub image: T,
}

#[resource]
pub struct Web;

#[resource(order = 1, after(Web))]
pub struct Cache<'a, T: Send> {
    name: &'a T,
}

#[data]
pub struct Size<const N: usize> {
    pub width: u32,
}

steps!(WebApp: Web);

fn main() {
    let _ = WebAppResources { web: Web };
}
