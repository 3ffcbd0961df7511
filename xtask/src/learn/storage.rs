//! etcd and the API server that reads from it.

use anyhow::{Context as _, Result};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use kube::{Client, Config};
use operatorkit_apiserver::builtin::BuiltInResource;
use operatorkit_testing::{ControlPlane, Options};
use serde_json::{Value, json};

/// A control plane whose storage is written to directly.
pub(super) struct Storage {
    etcd: Client,
    server: Client,
    _control_plane: ControlPlane,
}

impl Storage {
    /// Starts one: without controllers, which would change what is stored, and without a cache, which would lag behind.
    pub(super) async fn start() -> Result<Self> {
        let options = Options::default()
            .without_controllers()
            .without_kubelet()
            .without_audit()
            .with_api_server_flag("--watch-cache=false")
            .with_api_server_flag("--enable-priority-and-fairness=false");
        let control_plane = tokio::task::spawn_blocking(move || ControlPlane::start(&options)).await??;
        let etcd = format!("http://127.0.0.1:{}", control_plane.etcd_port());
        Ok(Self {
            etcd: Client::try_from(Config::new(etcd.parse()?))?,
            server: control_plane.client("admin"),
            _control_plane: control_plane,
        })
    }

    /// Stores an object, and answers with what the API server makes of it.
    pub(super) async fn read_back(&self, resource: &BuiltInResource, object: &Value) -> Result<Value> {
        let name = object["metadata"]["name"].as_str().context("an object has a name")?;
        let place = if resource.namespaced {
            format!("default/{name}")
        } else {
            name.to_owned()
        };
        let key = BASE64_STANDARD.encode(format!("/registry/{}/{place}", folder(resource)));
        let value = BASE64_STANDARD.encode(object.to_string());
        self.ask_etcd("put", &json!({ "key": key, "value": value })).await?;
        let answer = self.get(resource, name).await;
        self.ask_etcd("deleterange", &json!({ "key": key })).await?;
        answer
    }

    async fn get(&self, resource: &BuiltInResource, name: &str) -> Result<Value> {
        let root = if resource.group.is_empty() { "/api" } else { "/apis" };
        let namespace = if resource.namespaced { "namespaces/default/" } else { "" };
        let path = format!(
            "{root}/{}/{namespace}{}/{name}",
            resource.api_version(),
            resource.plural
        );
        let request = http::Request::get(path).body(Vec::new())?;
        Ok(self.server.request(request).await?)
    }

    /// etcd's gateway speaks JSON, with keys and values in base64.
    async fn ask_etcd(&self, what: &str, body: &Value) -> Result<Value> {
        let request = http::Request::post(format!("/v3/kv/{what}")).body(serde_json::to_vec(body)?)?;
        self.etcd
            .request(request)
            .await
            .with_context(|| format!("etcd: {what}"))
    }
}

/// Where a resource is stored (`k8s.io/kubernetes/pkg/kubeapiserver`, `SpecialDefaultResourcePrefixes`).
fn folder(resource: &BuiltInResource) -> &str {
    match (&*resource.group, &*resource.plural) {
        ("", "replicationcontrollers") => "controllers",
        ("", "endpoints") => "services/endpoints",
        ("", "nodes") => "minions",
        ("", "services") => "services/specs",
        ("networking.k8s.io", "ingresses") => "ingress",
        (_, plural) => plural,
    }
}
