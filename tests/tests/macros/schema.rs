//! The status of an own kind in its definition: operatorkit's fields, and the user's beside them.

use operatorkit::{
    Operator, Token,
    k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::Time},
    prelude::*,
    schemars::JsonSchema,
    serde::{Deserialize, Serialize},
    serde_json::{Value, json, to_value},
};

#[operator(group = "demo.example.com", version = "v1", kind = "Three", status = ThreeStatus, resources(Settings, Network, Notice))]
struct ThreeSpec {}

/// Every field is required by its type.
#[data]
#[derive(Default)]
struct ThreeStatus {
    url: String,
    last_seen: Option<Time>,
    nested: Nested,
}

#[data]
#[derive(Default)]
struct Nested {
    /// One of our names, but not in the status itself.
    conditions: Vec<String>,
}

#[resource(order = 1, delete_order = 3)]
struct Settings;

#[resource(order = 1, delete_order = 2)]
struct Network;

#[resource(order = 2, delete_order = 1, after(Settings, Network))]
struct Notice;

impl Manifest for Settings {
    type Operator = Three;
    type Object = ConfigMap;
    async fn desired(&self, _: &Three, _: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(Vec::<ConfigMap>::new().into())
    }
}

impl External for Network {
    type Operator = Three;
    type State = u32;
    async fn find(&self, _: &Token, _: &DeleteCx<Self>) -> Result<Option<u32>> {
        Ok(None)
    }
    async fn observe(&self, _: &Three, state: &u32, _: &Cx<Self>) -> Result<Flow<Observed<u32>>> {
        Ok(Observed::Matches(*state).into())
    }
    async fn create(&self, _: &Three, _: &Token, _: &Cx<Self>) -> Result<Flow<u32>> {
        Ok(7.into())
    }
    async fn update(&self, _: &Three, state: &u32, _: &Cx<Self>) -> Result<Flow<u32>> {
        Ok((*state).into())
    }
    async fn delete(&self, _: &u32, _: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

impl Step for Notice {
    type Operator = Three;
    type Output = String;
    async fn ensure_created(&self, _: &Three, cx: &Cx<Self>) -> Result<Flow<String>> {
        let maps = cx.after::<Settings>().output()?;
        let network: u32 = *cx.after::<Network>().output()?;
        cx.status(|status: &mut ThreeStatus| status.url = format!("{network}"));
        Ok(format!("{maps:?}").into())
    }
}

/// What stands under `status` in a definition.
fn status_of<O: Operator>() -> Value {
    let crd = to_value(O::crd().expect("an own kind has one")).expect("a definition is JSON");
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"].clone()
}

#[test]
fn our_lists_are_maps_and_what_we_store_is_kept() {
    let properties = &status_of::<Three>()["properties"];
    for (list, key) in [("conditions", "type"), ("resources", "name")] {
        assert_eq!(properties[list]["x-kubernetes-list-type"], "map");
        assert_eq!(properties[list]["x-kubernetes-list-map-keys"], json!([key]));
    }
    assert_eq!(
        properties["operatorkit"]["x-kubernetes-preserve-unknown-fields"],
        json!(true)
    );
}

#[test]
fn the_users_fields_stand_beside_ours_and_are_never_required() {
    let status = status_of::<Three>();
    for field in ["url", "lastSeen", "nested"] {
        assert!(status["properties"][field].is_object(), "{field}: {status}");
    }
    assert!(status.get("required").is_none(), "{status}");
    // A status that does not fit the user's type any more is read all the same.
    let three = json!({ "metadata": { "name": "x" }, "spec": {}, "status": { "observedGeneration": 3, "url": 7 } });
    let three: Three = operatorkit::serde_json::from_value(three).unwrap();
    let status = <Three as Operator>::status(&three).unwrap();
    assert_eq!((status.observed_generation, status.user.is_none()), (Some(3), true));
}

#[test]
fn all_three_kinds_of_resources_are_in_the_graph() {
    let resources = ThreeResources {
        settings: Settings,
        network: Network,
        notice: Notice,
    };
    assert_eq!(format!("{resources:?}"), "ThreeResources");
    let graph = <Three as Operator>::graph(resources);
    assert_eq!(format!("{graph:?}"), r#"["settings", "network", "notice"]"#);
}

#[operator(group = "demo.example.com", version = "v1", kind = "Taken", status = TakenStatus, resources(Free))]
struct TakenSpec {}

/// Without `#[data]`, so that the compiler knows nothing of its fields.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "operatorkit::serde")]
#[schemars(crate = "operatorkit::schemars")]
struct TakenStatus {
    #[serde(flatten)]
    nested: Nested,
}

#[resource]
struct Free;

impl Step for Free {
    type Operator = Taken;
    type Output = ();
    async fn ensure_created(&self, _: &Taken, _: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

#[test]
#[should_panic(expected = "the status of `Taken` has a field `conditions`, which operatorkit writes itself")]
fn a_field_with_one_of_our_names_is_found_wherever_it_comes_from() {
    let _ = <Taken as Operator>::crd();
}
