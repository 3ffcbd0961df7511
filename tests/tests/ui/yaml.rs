//! Files of YAML that are not there or not right, and what `yaml` contradicts.
use operatorkit::prelude::*;

#[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web))]
pub struct WebAppSpec {
    pub image: String,
}

#[resource(order = 1, yaml = "yaml/good.yaml")]
pub struct Web;

#[resource(yaml = "yaml/absent.yaml")]
pub struct Absent;

#[resource(yaml("yaml/good.yaml", "yaml/unclosed.yaml"))]
pub struct Unclosed;

#[resource(yaml = "yaml/kinds.yaml")]
pub struct Kinds;

#[resource(yaml = "yaml/placeholders.yaml")]
pub struct Placeholders;

#[resource(yaml)]
pub struct Flag;

#[resource(yaml(7))]
pub struct Number;

#[resource(yaml = "yaml/good.yaml", reads(Secret), recover = "manual")]
pub struct Contradiction;

#[resource(yaml = "yaml/good.yaml")]
pub struct Fields {
    client: String,
}

static NONE: Yaml = yaml!();
static UNCLOSED: Yaml = yaml!("yaml/unclosed.yaml");
static ODD: Yaml = yaml!("yaml/good.yaml", name = "x", 7);

fn main() {}
