//! An operator of an existing kind: every ConfigMap with the label `demo.operatorkit.dev/mirror: "true"` gets a copy.
//!
//! The copies are ConfigMaps, too, and are never taken for objects: they carry this operator's mark.
//!
//! `cargo run --example mirror -- run`, then `kubectl label configmap NAME demo.operatorkit.dev/mirror=true`.

use operatorkit::{
    k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::ObjectMeta},
    prelude::*,
};

/// Mirrors ConfigMaps.
#[operator(for = ConfigMap, name = "mirror.demo.operatorkit.dev", selector = "demo.operatorkit.dev/mirror=true", resources(Copy))]
#[derive(Debug)]
pub struct Mirror;

/// The copy: the same data under the name `<name>-mirror`.
#[resource(order = 1)]
#[derive(Debug)]
pub struct Copy;

impl Manifest for Copy {
    type Operator = Mirror;
    type Object = ConfigMap;

    async fn desired(&self, original: &ConfigMap, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let metadata = ObjectMeta {
            name: Some(cx.child_name("mirror")),
            ..ObjectMeta::default()
        };
        Ok(ConfigMap {
            metadata,
            data: original.data.clone(),
            binary_data: original.binary_data.clone(),
            ..ConfigMap::default()
        }
        .into())
    }
}

fn main() -> std::process::ExitCode {
    app().main()
}

/// The program; its tests run it, too.
pub(crate) fn app() -> App {
    App::new("mirror-operator")
        .operator(|_env| async { Ok(MirrorResources { copy: Copy }) })
        .sample(sample())
}

/// What `dev` makes.
fn sample() -> ConfigMap {
    let metadata = ObjectMeta {
        name: Some("hello".into()),
        labels: Some([("demo.operatorkit.dev/mirror".into(), "true".into())].into()),
        ..ObjectMeta::default()
    };
    let data = [("message".into(), "hi".into())].into();
    ConfigMap {
        metadata,
        data: Some(data),
        ..ConfigMap::default()
    }
}
