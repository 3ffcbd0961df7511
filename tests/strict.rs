//! An operator under strict lints: public and private resources, all that the attributes take.

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, prelude::*};

/// A spec.
#[operator(
    group = "demo.example.com", version = "v1", kind = "Strict", namespaced,
    status = StrictStatus,
    shortname = "st", category = "all", category = "demo",
    printcolumn(name = "Image", type_ = "string", json_path = ".spec.image"),
    resources(Settings, Hidden),
)]
pub struct StrictSpec {
    /// The image.
    pub image: String,
    /// How large.
    pub size: Size,
}

/// A nested type.
#[data]
#[derive(PartialEq, Eq)]
pub struct Size {
    /// In bytes.
    pub total_bytes: u32,
}

/// A status.
#[data]
#[derive(Default)]
pub struct StrictStatus {
    /// Where it is.
    pub url: Option<String>,
}

/// A public resource.
#[resource(order = 1, delete_order = 2)]
#[derive(Debug)]
pub struct Settings;

impl Manifest for Settings {
    type Operator = Strict;
    type Object = ConfigMap;

    async fn desired(&self, _object: &Strict, _cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(ConfigMap::default().into())
    }
}

/// A resource that is more private than its operator.
#[resource(order = 2, delete_order = 1, after(Settings))]
struct Hidden;

impl Step for Hidden {
    type Operator = Strict;
    type Output = ();

    async fn ensure_created(&self, _object: &Strict, cx: &Cx<Self>) -> Result<Flow<()>> {
        let _settings = cx.after::<Settings>().output()?;
        Ok(().into())
    }

    async fn ensure_deleted(&self, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

/// An operator of an existing kind.
#[operator(for = ConfigMap, name = "strict", selector = "strict=yes", resources(Marker))]
#[derive(Debug)]
pub struct Existing;

#[resource]
struct Marker;

impl Step for Marker {
    type Operator = Existing;
    type Output = ();

    async fn ensure_created(&self, _object: &ConfigMap, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}
