//! Values of the wrong shape.
use operatorkit::prelude::*;

#[operator(
    group = "Demo Example", version = 1, kind = "web-app", namespaced = true, status = "WebAppStatus", selector = all(),
    name = "-x", crate = "operatorkit", resources("Web"),
)]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = "1", delete_order = 1.5, name = "Web", namespaces = all, recover = "never", after("Web"))]
pub struct Web;

fn main() {}
