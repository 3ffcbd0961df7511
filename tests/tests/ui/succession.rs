//! What an operator cannot succeed to.
use operatorkit::prelude::*;

include!("setup/steps.rs");

#[operator(
    group = "demo.example.com", version = "v1", kind = "WebApp", name = "now",
    formerly = ["now", "-x", "old", "old"],
    legacy_finalizers("operatorkit.dev/old", "a.example/", "orphan", "plain", "a.example/b", "a.example/b"),
    resources(Web),
)]
pub struct WebAppSpec {
    pub image: String,
}

#[operator(group = "demo.example.com", version = "v1", kind = "Site", formerly = "old", legacy_finalizers = "a/b", resources(Page))]
pub struct SiteSpec {
    pub image: String,
}

#[resource]
pub struct Web;

#[resource]
pub struct Page;

steps!(WebApp: Web);
steps!(Site: Page);

fn main() {}
