//! What the command line says of the API server, and what the API server is told of the app.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use http::HeaderValue;
use kube::Client;

use super::App;
use crate::{
    LeaderElection,
    client::{self, ClientConfig},
};

/// Which API server, and as whom.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct ClientArgs {
    /// The kubeconfig to use [default: $KUBECONFIG, which may name several, else ~/.kube/config, else the Pod's service account]
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,

    /// The context of the kubeconfig to use [default: its current context]
    #[arg(long, value_name = "NAME")]
    pub(super) context: Option<String>,

    /// Use the Pod's service account, whether or not there is a kubeconfig
    #[arg(long)]
    in_cluster: bool,

    /// The address of the API server, instead of a kubeconfig
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// With --server: the certificates that the server's is signed by, in PEM [default: the system's]
    #[arg(long, value_name = "FILE")]
    certificate_authority: Option<PathBuf>,

    /// With --server: the name that the server's certificate is for [default: the host of its address]
    #[arg(long, value_name = "NAME")]
    tls_server_name: Option<String>,

    /// With --server: the file with the bearer token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// With --server: the file with the client's certificate, in PEM
    #[arg(long, value_name = "FILE")]
    client_certificate: Option<PathBuf>,

    /// With --server: the file with the client's private key, in PEM
    #[arg(long, value_name = "FILE")]
    client_key: Option<PathBuf>,
}

impl ClientArgs {
    /// What is said; `None` if nothing is.
    pub(super) fn config(&self) -> Option<ClientConfig> {
        let Self {
            kubeconfig,
            context,
            in_cluster,
            server,
            certificate_authority,
            tls_server_name,
            token_file,
            client_certificate,
            client_key,
        } = self;
        let with_file =
            |said: ClientConfig, file: &Option<PathBuf>, set: fn(ClientConfig, PathBuf) -> ClientConfig| match file {
                Some(file) => set(said, file.clone()),
                None => said,
            };
        let with_text =
            |said: ClientConfig, text: &Option<String>, set: fn(ClientConfig, String) -> ClientConfig| match text {
                Some(text) => set(said, text.clone()),
                None => said,
            };
        let mut said = ClientConfig::new();
        said = with_file(said, kubeconfig, ClientConfig::kubeconfig);
        said = with_text(said, context, ClientConfig::context);
        said = with_text(said, server, ClientConfig::server);
        said = with_file(said, certificate_authority, ClientConfig::certificate_authority_file);
        said = with_text(said, tls_server_name, ClientConfig::tls_server_name);
        said = with_file(said, token_file, ClientConfig::token_file);
        said = with_file(said, client_certificate, ClientConfig::client_certificate_file);
        said = with_file(said, client_key, ClientConfig::client_key_file);
        if *in_cluster {
            said = said.in_cluster();
        }
        (!said.is_empty()).then_some(said)
    }
}

/// Makes the client of an app: as the command line says, else as the program says, else what is found.
///
/// With an election no bytes of it arrive after another replica may lead.
pub(super) fn connect(
    args: &ClientArgs,
    app: &App,
    election: Option<&LeaderElection>,
) -> impl Future<Output = anyhow::Result<Client>> + Send + use<> {
    let give_up = election.map(LeaderElection::margin);
    let config = args.config().or_else(|| app.client.clone()).unwrap_or_default();
    let agent = user_agent(&app.name, app.version);
    async move { client::connect(&config, agent?, give_up).await }
}

/// `<app>/<version> operatorkit/<version>`, so that audit logs tell who it was.
fn user_agent(app: &str, version: Option<&str>) -> anyhow::Result<HeaderValue> {
    let token = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte))
    };
    ensure!(
        token(app),
        "the app's name `{app}` is not made of ASCII letters, digits, `-`, `_` and `.`"
    );
    let version = version
        .filter(|version| token(version))
        .map(|version| format!("/{version}"))
        .unwrap_or_default();
    let agent = format!("{app}{version} operatorkit/{}", env!("CARGO_PKG_VERSION"));
    HeaderValue::try_from(agent).context("the app's name does not fit into a User-Agent")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_names_app_and_framework() {
        let agent = |app, version| user_agent(app, version).map(|agent| agent.to_str().unwrap().to_owned());
        let ours = concat!("operatorkit/", env!("CARGO_PKG_VERSION"));
        assert_eq!(
            agent("webapp-operator", Some("1.2.3")).unwrap(),
            format!("webapp-operator/1.2.3 {ours}")
        );
        assert_eq!(
            agent("webapp-operator", None).unwrap(),
            format!("webapp-operator {ours}")
        );
        assert!(agent("web app", None).unwrap_err().to_string().contains("`web app`"));
    }
}
