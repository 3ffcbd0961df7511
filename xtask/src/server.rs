//! The real server that is asked.

use std::path::Path;

use anyhow::{Context as _, Result};
use kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use operatorkit_testing::{ControlPlane, Options};
use serde_json::Value;

/// A connection with every right.
pub(crate) struct Server {
    client: Client,
    // Ends with the task.
    _started: Option<ControlPlane>,
}

impl Server {
    /// Connects to the server of a kubeconfig, or starts one: etcd and kube-apiserver without controllers, which would
    /// change what is created.
    pub(crate) async fn open(kubeconfig: Option<&Path>) -> Result<Self> {
        let Some(path) = kubeconfig else {
            let options = Options::default()
                .without_controllers()
                .without_kubelet()
                .without_audit();
            let started = tokio::task::spawn_blocking(move || ControlPlane::start(&options)).await??;
            let client = started.client("admin");
            return Ok(Self {
                client,
                _started: Some(started),
            });
        };
        let kubeconfig = Kubeconfig::read_from(path).with_context(|| format!("read {}", path.display()))?;
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
        // An answer is to be seen, not waited out.
        config.default_retry = false;
        Ok(Self {
            client: Client::try_from(config)?,
            _started: None,
        })
    }

    /// GET, as JSON.
    pub(crate) async fn get(&self, path: &str) -> Result<Value> {
        self.get_as(path, "application/json").await
    }

    /// GET in the form that `accept` asks for.
    pub(crate) async fn get_as(&self, path: &str, accept: &str) -> Result<Value> {
        let request = http::Request::get(path)
            .header("Accept", accept)
            .body(Vec::new())
            .context("a request")?;
        let answer = self
            .client
            .request_text(request)
            .await
            .with_context(|| format!("GET {path}"))?;
        serde_json::from_str(&answer).with_context(|| format!("GET {path} answers with JSON"))
    }
}
