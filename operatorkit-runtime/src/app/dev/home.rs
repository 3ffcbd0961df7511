//! The server, and the kubeconfig for those who want to look.

use std::{io::Write as _, time::Duration};

use anyhow::{Context as _, ensure};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{Client, ResourceExt as _};
use operatorkit_apiserver::{
    ApiServer,
    access::{User, user::MASTERS},
    fault::{Effect, Fault, Matching},
    serve::{Server, Serving},
};
use tempfile::NamedTempFile;
use tokio::time::{sleep, timeout};

use super::{samples::told, view::Operator};
use crate::cluster::{Cluster, Kind};

/// How long a CRD may take until it is served.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server in this process, with the workload controllers and a stand-in kubelet. It ends, and its kubeconfig is removed, when this is
/// dropped.
#[derive(Debug)]
pub(super) struct Home {
    server: ApiServer,
    user: User,
    _serving: Serving,
    kubeconfig: NamedTempFile,
}

impl Home {
    /// `app` is the user that the operators are; each of its writes takes as long as `pace`.
    pub(super) async fn start(app: &str, pace: Duration) -> anyhow::Result<Self> {
        let server = ApiServer::builder().workloads(true).start();
        if !pace.is_zero() {
            let slow = Fault::new(Matching::writes().user(app), Effect::Delay(pace));
            server.faults().add(slow);
        }
        let serving = Server::new(server.open_service())
            .start()
            .await
            .context("cannot listen on a port of 127.0.0.1")?;
        // Only its owner may read it.
        let mut kubeconfig = tempfile::Builder::new()
            .prefix(&format!("{app}-"))
            .suffix(".kubeconfig")
            .tempfile()
            .context("cannot make a file for the kubeconfig")?;
        kubeconfig
            .write_all(serving.kubeconfig(&User::admin()).as_bytes())
            .context("cannot write the kubeconfig")?;
        Ok(Self {
            server,
            user: User::new(app, [MASTERS]),
            _serving: serving,
            kubeconfig,
        })
    }

    /// A client for the operators, without a port.
    pub(super) fn client(&self) -> Client {
        Client::new(self.server.service_as(self.user.clone()), "default")
    }

    /// What asks the server for what a person would.
    pub(super) fn cluster(&self) -> Cluster {
        Cluster::new(self.client(), "dev")
    }

    /// What is said first.
    pub(super) fn welcome(&self, operators: &[Operator]) -> String {
        let kinds: Vec<_> = operators.iter().map(|operator| operator.kind.plural.as_str()).collect();
        format!(
            "a Kubernetes API server runs in this process; look at it with\n  kubectl --kubeconfig {} get {} -A",
            self.kubeconfig.path().display(),
            kinds.join(",")
        )
    }

    /// Makes the CRDs, and waits until their kinds are served.
    pub(super) async fn install(&self, crds: Vec<CustomResourceDefinition>) -> anyhow::Result<()> {
        let cluster = self.cluster();
        let kind = Kind::of::<CustomResourceDefinition>();
        for crd in crds {
            let name = crd.name_any();
            told(cluster.create(&kind, None, &name, &crd).await)?;
            let failed = || format!("the CRD {name} is not served");
            let served = timeout(PATIENCE, served(&cluster, &kind, &name)).await;
            served.with_context(failed)?.with_context(failed)?;
        }
        Ok(())
    }
}

async fn served(cluster: &Cluster, kind: &Kind, name: &str) -> anyhow::Result<()> {
    loop {
        let crd = told(cluster.get(kind, None, name).await)?;
        let crd = crd.context("somebody has deleted it")?;
        let conditions = crd.data["status"]["conditions"].as_array();
        let mut conditions = conditions.into_iter().flatten();
        let refused = conditions.find(|it| it["type"] == "NamesAccepted" && it["status"] == "False");
        ensure!(
            refused.is_none(),
            "{}",
            refused.map(|it| it["message"].to_string()).unwrap_or_default()
        );
        let established = |it: &serde_json::Value| it["type"] == "Established" && it["status"] == "True";
        if crd.data["status"]["conditions"]
            .as_array()
            .is_some_and(|all| all.iter().any(established))
        {
            return Ok(());
        }
        sleep(Duration::from_millis(5)).await;
    }
}
