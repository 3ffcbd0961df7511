//! From what a user says to a configuration of kube's: again and again, since files change.

use std::{fs, path::Path};

use anyhow::{Context as _, bail, ensure};
use http::{HeaderValue, Uri, header::USER_AGENT};
use kube::{
    Config,
    config::{AuthInfo, Cluster, KubeConfigOptions},
};
use secrecy::ExposeSecret as _;

use super::{
    check::check,
    config::ClientConfig,
    files::{Contents, Files},
    kubeconfig::{self, Found, only},
    service_account::ServiceAccount,
    told,
};

/// Where configurations are from.
#[derive(Debug)]
pub(super) struct Source {
    said: ClientConfig,
    agent: HeaderValue,
    /// What the first one was about: later ones are about the same, or are none.
    first: Option<First>,
}

#[derive(Clone, Debug)]
struct First {
    place: Place,
    url: Uri,
}

#[derive(Clone, Debug)]
enum Place {
    Kubeconfig { context: String },
    ServiceAccount,
    Address,
}

/// A configuration, and what it was made of.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) config: Config,
    pub(super) files: Files,
    /// What was in the files before they were used: if they changed meanwhile, they differ from it.
    pub(super) contents: Contents,
    /// A plugin gives the credentials.
    pub(super) plugin: bool,
}

impl Source {
    /// # Errors
    /// What does not go together.
    pub(super) fn new(said: ClientConfig, agent: HeaderValue) -> anyhow::Result<Self> {
        check(&said)?;
        Ok(Self {
            said,
            agent,
            first: None,
        })
    }

    /// # Errors
    /// Nothing to be found, a file that cannot be read or used, or a server that is another one than at first.
    pub(super) async fn load(&mut self) -> anyhow::Result<Loaded> {
        let (place, mut loaded) = match self.first.as_ref().map(|first| first.place.clone()) {
            Some(place) => self.load_again(place).await?,
            None => self.look_around().await?,
        };
        let url = loaded.config.cluster_url.clone();
        let first = self.first.get_or_insert(First { place, url });
        ensure!(
            first.url == loaded.config.cluster_url,
            "the API server's address changed from {} to {}, which only a restart follows",
            first.url,
            loaded.config.cluster_url
        );
        loaded.config.headers.push((USER_AGENT, self.agent.clone()));
        Ok(loaded)
    }

    async fn look_around(&self) -> anyhow::Result<(Place, Loaded)> {
        if self.said.in_cluster {
            let loaded = of_service_account()
                .await
                .context("this is not a Pod with a service account")?;
            return Ok((Place::ServiceAccount, loaded));
        }
        if self.said.server.is_some() {
            return Ok((Place::Address, self.at_address().await?));
        }
        match kubeconfig::find(&self.said)? {
            Some(found) => of_kubeconfig(found, self.said.context.clone()).await,
            None if self.said.context.is_some() => {
                bail!("--context needs a kubeconfig: name one with --kubeconfig or KUBECONFIG")
            }
            None => {
                let loaded = of_service_account().await.context(
                    "no API server is known: no --kubeconfig, no KUBECONFIG, no ~/.kube/config, and this is not a Pod with a service account",
                )?;
                Ok((Place::ServiceAccount, loaded))
            }
        }
    }

    async fn load_again(&self, place: Place) -> anyhow::Result<(Place, Loaded)> {
        match place {
            Place::Kubeconfig { context } => {
                let found = kubeconfig::find(&self.said)?.context("the kubeconfig is gone")?;
                of_kubeconfig(found, Some(context)).await
            }
            Place::ServiceAccount => Ok((place, of_service_account().await?)),
            Place::Address => Ok((place, self.at_address().await?)),
        }
    }

    /// An address is a kubeconfig that is not in a file.
    async fn at_address(&self) -> anyhow::Result<Loaded> {
        let said = &self.said;
        let path = |path: &Path| path.to_str().map(str::to_owned).context("a path is not UTF-8");
        let paths = |file: &Option<std::path::PathBuf>| file.as_deref().map(path).transpose();
        let cluster = Cluster {
            server: said.server.clone(),
            certificate_authority: paths(&said.ca.file)?,
            certificate_authority_data: said.ca.data.clone(),
            tls_server_name: said.tls_server_name.clone(),
            ..Cluster::default()
        };
        let user = AuthInfo {
            token: said.token.data.clone(),
            token_file: paths(&said.token.file)?,
            client_certificate: paths(&said.certificate.file)?,
            client_certificate_data: said.certificate.data.clone(),
            client_key: paths(&said.key.file)?,
            client_key_data: said.key.data.clone(),
            ..AuthInfo::default()
        };
        let (_, loaded) = of_kubeconfig(only(cluster, user, said.namespace.clone(), "what is given"), None).await?;
        Ok(loaded)
    }
}

async fn of_kubeconfig(found: Found, context: Option<String>) -> anyhow::Result<(Place, Loaded)> {
    let Found {
        kubeconfig,
        origin,
        mut files,
    } = found;
    let context = context
        .or_else(|| kubeconfig.current_context.clone())
        .unwrap_or_default();
    let (cluster, user) = kubeconfig::chosen(&kubeconfig, &context);
    let authority = cluster.filter(|it| it.certificate_authority_data.is_none());
    let certificate = user.filter(|it| it.client_certificate_data.is_none());
    let key = user.filter(|it| it.client_key_data.is_none());
    let token = user.filter(|it| it.token.is_none());
    let used = [
        authority.and_then(|it| it.certificate_authority.as_ref()),
        certificate.and_then(|it| it.client_certificate.as_ref()),
        key.and_then(|it| it.client_key.as_ref()),
        token.and_then(|it| it.token_file.as_ref()),
    ];
    used.into_iter().flatten().for_each(|path| files.add(path));
    let contents = files.contents();
    let plugin = user.is_some_and(|user| user.exec.is_some());
    let options = KubeConfigOptions {
        context: Some(context.clone()).filter(|context| !context.is_empty()),
        ..KubeConfigOptions::default()
    };
    let config = Config::from_custom_kubeconfig(kubeconfig, &options).await;
    let mut config = config.map_err(|err| told::kubeconfig(err, &origin))?;
    read_token(&mut config.auth_info)?;
    let loaded = Loaded {
        config,
        files,
        contents,
        plugin,
    };
    Ok((Place::Kubeconfig { context }, loaded))
}

async fn of_service_account() -> anyhow::Result<Loaded> {
    of_found_account(ServiceAccount::of_this_pod()?).await
}

/// What a Pod is given, as a configuration.
pub(super) async fn of_found_account(account: ServiceAccount) -> anyhow::Result<Loaded> {
    let (_, mut loaded) = of_kubeconfig(account.found()?, None).await?;
    // What a proxy is for is outside of the cluster.
    loaded.config.proxy_url = None;
    Ok(loaded)
}

/// The token, of wherever it is from, as the libraries of Kubernetes read it: without the end of its line, which kube leaves on. One that no
/// header can hold would be a panic later.
fn read_token(user: &mut AuthInfo) -> anyhow::Result<()> {
    let file = user.token_file.take();
    let (token, origin) = match (user.token.take(), file) {
        (Some(token), _) => (token, "the token".to_owned()),
        (None, Some(path)) => {
            let origin = format!("the token file {path}");
            let token = fs::read_to_string(&path).with_context(|| format!("{origin} cannot be read"))?;
            (token.into(), origin)
        }
        (None, None) => return Ok(()),
    };
    let trimmed = token.expose_secret().trim();
    ensure!(!trimmed.is_empty(), "{origin} is empty");
    ensure!(
        trimmed.bytes().all(|byte| byte.is_ascii_graphic()),
        "{origin} has white space or other characters in it that no token has"
    );
    user.token = Some(trimmed.into());
    Ok(())
}
