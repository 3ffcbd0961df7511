//! What the expansions are worth: the definition of a kind, names of fields, the graph as data.

use operatorkit::{
    Operator, Selector,
    graph::{Meta, Settings},
    k8s_openapi::api::core::v1::ConfigMap,
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};

#[operator(
    group = "demo.example.com", version = "v1", kind = "Shape", namespaced,
    name = "shapes", selector = "shape in (round, square)",
    shortname = "sh", category = "demo", plural = "shapesies", deprecated = "use v2",
    printcolumn(name = "Width", type_ = "integer", json_path = ".spec.totalWidth"),
    label("made-by", "a test"), derive = "PartialEq",
    scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"),
    status = ShapeStatus,
    resources(First, SecondPart),
)]
#[derive(PartialEq)]
struct ShapeSpec {
    total_width: u32,
    edge: Edge,
    snake: Snake,
    #[serde(default)]
    replicas: i32,
}

#[data]
#[derive(Default, PartialEq)]
struct ShapeStatus {
    total_area: Option<u32>,
    /// The same name as one of ours, but not in JSON.
    #[serde(rename = "parts")]
    resources: Option<u32>,
}

/// Variants stay, fields are camelCase.
#[data]
#[derive(PartialEq)]
enum Edge {
    Sharp {},
    Round { half_width: u32 },
}

/// A rule of its own.
#[data]
#[derive(PartialEq)]
#[serde(rename_all = "snake_case")]
struct Snake {
    long_name: u8,
}

/// The derives stand below, and find serde with nothing but the facade in the manifest.
#[data]
#[derive(
    Clone,
    Debug,
    PartialEq,
    operatorkit::serde::Serialize,
    operatorkit::serde::Deserialize,
    operatorkit::schemars::JsonSchema,
)]
struct Below {
    still_camel: u8,
}

#[resource(order = -2, delete_order = 7, namespaces = any)]
struct First;

#[resource(name = "second", after(First), delete_after(First), recover = "manual")]
struct SecondPart;

#[operator(for = ConfigMap, selector = all, resources(Third))]
struct Everything;

#[resource]
struct Third;

impl Manifest for First {
    type Operator = Shape;
    type Object = ConfigMap;
    async fn desired(&self, _: &Shape, _: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(None.into())
    }
}

impl External for SecondPart {
    type Operator = Shape;
    type State = u32;
    async fn find(&self, _: &Token, _: &DeleteCx<Self>) -> Result<Option<u32>> {
        Ok(None)
    }
    async fn observe(&self, _: &Shape, state: &u32, _: &Cx<Self>) -> Result<Flow<Observed<u32>>> {
        Ok(Observed::Matches(*state).into())
    }
    async fn create(&self, _: &Shape, _: &Token, _: &Cx<Self>) -> Result<Flow<u32>> {
        Ok(1.into())
    }
    async fn update(&self, _: &Shape, state: &u32, _: &Cx<Self>) -> Result<Flow<u32>> {
        Ok((*state).into())
    }
    async fn delete(&self, _: &u32, _: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

impl Step for Third {
    type Operator = Everything;
    type Output = ();
    async fn ensure_created(&self, _: &ConfigMap, _: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

fn crd() -> Value {
    to_value(<Shape as Operator>::crd().expect("an own kind has one")).expect("it is JSON")
}

#[test]
fn keys_that_are_not_ours_reach_the_definition() {
    let crd = crd();
    let names = &crd["spec"]["names"];
    assert_eq!(crd["metadata"]["name"], "shapesies.demo.example.com");
    assert_eq!(crd["metadata"]["labels"], json!({ "made-by": "a test" }));
    assert_eq!(
        (&names["shortNames"], &names["categories"]),
        (&json!(["sh"]), &json!(["demo"]))
    );
    assert_eq!(crd["spec"]["scope"], "Namespaced");
    let version = &crd["spec"]["versions"][0];
    assert_eq!(version["deprecationWarning"], "use v2");
    assert_eq!(version["additionalPrinterColumns"][0]["jsonPath"], ".spec.totalWidth");
    assert_eq!(version["subresources"]["scale"]["specReplicasPath"], ".spec.replicas");
    assert!(version["subresources"]["status"].is_object());
}

#[test]
fn the_schema_and_serde_agree_on_the_names() {
    let crd = crd();
    let properties = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"];
    let status = properties["status"]["properties"].as_object().unwrap();
    for name in [
        "observedGeneration",
        "conditions",
        "resources",
        "operatorkit",
        "totalArea",
        "parts",
    ] {
        assert!(status.contains_key(name), "{name}: {status:?}");
    }
    let spec = &properties["spec"]["properties"];
    assert!(
        spec["edge"].to_string().contains("halfWidth") && spec["snake"].to_string().contains("long_name"),
        "{spec}"
    );
    let written = json!({
        "totalWidth": 3, "edge": { "Round": { "halfWidth": 1 } }, "snake": { "long_name": 1 }, "replicas": 0,
    });
    let read: ShapeSpec = from_value(written.clone()).unwrap();
    assert_eq!(to_value(&read).unwrap(), written);
    assert_eq!(to_value(Below { still_camel: 1 }).unwrap(), json!({ "stillCamel": 1 }));
}

#[test]
fn the_graph_is_data() {
    let settings = |any_namespace, manual_recovery| Settings {
        any_namespace,
        manual_recovery,
        ..Settings::default()
    };
    let first = Meta {
        settings: settings(true, false),
        ..Meta::new("first").order(-2).delete_order(7)
    };
    let second = Meta {
        settings: settings(false, true),
        ..Meta::new("second").after(&["first"]).delete_after(&["first"])
    };
    assert_eq!(Shape::NODES, [first, second]);
    assert_eq!(
        (Shape::NAME, Shape::SELECTOR),
        (Some("shapes"), Selector::Labels("shape in (round, square)"))
    );
    assert_eq!((Everything::NAME, Everything::SELECTOR), (None, Selector::All));
    assert!(Everything::crd().is_none());
    let graph = Shape::graph(ShapeResources {
        first: First,
        second_part: SecondPart,
    });
    assert_eq!(format!("{graph:?}"), r#"["first", "second"]"#);
}
