//! A web application: a ConfigMap, a Service and a Deployment, created in one order and deleted in another.
//!
//! `cargo run --example webapp -- dev` shows it, on an API server of its own.

mod children;

use operatorkit::{
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Service},
    },
    prelude::*,
};

/// What a user of the cluster writes.
#[operator(
    group = "demo.operatorkit.dev",
    version = "v1",
    kind = "WebApp",
    namespaced,
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Ready')].status"
    ),
    printcolumn(name = "Image", type_ = "string", json_path = ".spec.image"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"),
    resources(Settings, Traffic, Web)
)]
pub struct WebAppSpec {
    /// The container image.
    pub image: String,
    /// How many pods.
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// What the pods say.
    pub message: String,
}

/// The ConfigMap that the pods read: made first, deleted last.
#[resource(order = 1, delete_order = 3)]
#[derive(Debug)]
pub struct Settings;

impl Manifest for Settings {
    type Operator = WebApp;
    type Object = ConfigMap;

    async fn desired(&self, app: &WebApp, _cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(children::settings(app)?.into())
    }
}

/// The Service: deleted first, so that traffic stops before the pods do.
#[resource(order = 2, delete_order = 1)]
#[derive(Debug)]
pub struct Traffic;

impl Manifest for Traffic {
    type Operator = WebApp;
    type Object = Service;

    async fn desired(&self, app: &WebApp, _cx: &Cx<Self>) -> Result<Desired<Service>> {
        Ok(children::service(app)?.into())
    }
}

/// The Deployment.
#[resource(order = 3, delete_order = 2)]
#[derive(Debug)]
pub struct Web;

impl Manifest for Web {
    type Operator = WebApp;
    type Object = Deployment;

    async fn desired(&self, app: &WebApp, _cx: &Cx<Self>) -> Result<Desired<Deployment>> {
        Ok(children::deployment(app)?.into())
    }
}

fn main() -> std::process::ExitCode {
    app().main()
}

/// The program; its tests run it, too.
pub(crate) fn app() -> App {
    App::new("webapp-operator")
        .operator(|_env| async {
            Ok(WebAppResources {
                settings: Settings,
                traffic: Traffic,
                web: Web,
            })
        })
        .sample(sample())
}

/// What `dev` makes.
fn sample() -> WebApp {
    let spec = WebAppSpec {
        image: "nginx".into(),
        replicas: 2,
        message: "hi".into(),
    };
    WebApp::new("hello", spec)
}
