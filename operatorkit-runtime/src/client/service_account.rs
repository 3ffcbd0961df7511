//! The service account of a Pod: what is mounted into it, and where it is told that the API server is.

use std::{
    env, fs,
    net::Ipv6Addr,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use kube::config::{AuthInfo, Cluster};

use super::kubeconfig::{Found, only};

/// Where a service account is mounted (the client libraries of Kubernetes have the path in their code, too).
const MOUNTED: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// What a Pod is given.
#[derive(Clone, Debug)]
pub(super) struct ServiceAccount {
    /// With the files `token`, `ca.crt` and `namespace`.
    pub(super) folder: PathBuf,
    pub(super) host: String,
    pub(super) port: String,
}

impl ServiceAccount {
    /// That of this Pod.
    ///
    /// # Errors
    /// The environment lacks what the kubelet puts into that of every Pod.
    pub(super) fn of_this_pod() -> anyhow::Result<Self> {
        let variable = |name: &str| env::var(name).with_context(|| format!("{name} is not set"));
        Ok(Self {
            folder: MOUNTED.into(),
            host: variable("KUBERNETES_SERVICE_HOST")?,
            port: variable("KUBERNETES_SERVICE_PORT")?,
        })
    }

    /// The same as a kubeconfig that is in no file.
    ///
    /// # Errors
    /// The namespace cannot be read.
    pub(super) fn found(&self) -> anyhow::Result<Found> {
        let file = |name: &str| self.folder.join(name);
        let namespace = read(&file("namespace"))?;
        let path = |name: &str| Some(file(name).display().to_string());
        let cluster = Cluster {
            server: Some(self.server()),
            certificate_authority: path("ca.crt"),
            ..Cluster::default()
        };
        let user = AuthInfo {
            token_file: path("token"),
            ..AuthInfo::default()
        };
        Ok(only(
            cluster,
            user,
            Some(namespace.trim().to_owned()),
            "the Pod's service account",
        ))
    }

    fn server(&self) -> String {
        let Self { host, port, .. } = self;
        if host.parse::<Ipv6Addr>().is_ok() {
            format!("https://[{host}]:{port}")
        } else {
            format!("https://{host}:{port}")
        }
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}
