//! The client: where the API server is, and how it is spoken to.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail, ensure};
use http::{HeaderValue, header::USER_AGENT};
use kube::{
    Client, Config,
    client::ClientBuilder,
    config::{KubeConfigOptions, Kubeconfig, KubeconfigError},
};
use tokio::time::timeout;
use tower::{BoxError, util::MapFutureLayer};

const CONNECT: Duration = Duration::from_secs(10);
/// Until the head of an answer: a little more than the 60 seconds after which the API server itself gives up (`--request-timeout`), since
/// its answer says more. The head of a watch comes at once.
const ANSWER: Duration = Duration::from_secs(65);
/// Silence within an answer. A watch is silent for minutes, but ends within 290 seconds unless more is asked for.
const SILENCE: Duration = Duration::from_secs(295);
const WRITE: Duration = Duration::from_mins(1);

/// Which API server, and as whom.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct ClientArgs {
    /// The kubeconfig to use [default: $KUBECONFIG, which may name several, else ~/.kube/config, else the Pod's service account]
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,

    /// The context of the kubeconfig to use [default: its current context]
    #[arg(long, value_name = "NAME")]
    pub(super) context: Option<String>,
}

/// Makes the client. It sends nothing: an API server that is away is found out, and tried again, by the operators.
pub(super) async fn connect(args: &ClientArgs, app: &str, version: Option<&str>) -> anyhow::Result<Client> {
    let mut config = config(args).await?;
    config.headers.push((USER_AGENT, user_agent(app, version)?));
    build(config)
}

fn build(mut config: Config) -> anyhow::Result<Client> {
    // kube would send a POST again that may have been carried out; our backoff is per object and looks before it repeats.
    config.default_retry = false;
    config.disable_compression = true;
    config.connect_timeout = Some(CONNECT);
    config.read_timeout = Some(SILENCE);
    config.write_timeout = Some(WRITE);
    // The silence counts from the request, not from when the pooled connection was last used.
    config.reset_reader_on_write = true;
    let url = config.cluster_url.clone();
    let builder = ClientBuilder::try_from(config).with_context(|| format!("cannot make a client for {url}"))?;
    let layer = MapFutureLayer::new(|answer| async {
        let late = |_| BoxError::from(format!("the API server did not answer within {ANSWER:?}"));
        timeout(ANSWER, answer).await.map_err(late).flatten()
    });
    Ok(builder.with_layer(&layer).build())
}

async fn config(args: &ClientArgs) -> anyhow::Result<Config> {
    let options = KubeConfigOptions {
        context: args.context.clone(),
        ..KubeConfigOptions::default()
    };
    match kubeconfig(args)? {
        Some((kubeconfig, origin)) => {
            Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(|err| explain(err, &origin))
        }
        None if args.context.is_some() => bail!("--context needs a kubeconfig: name one with --kubeconfig or KUBECONFIG"),
        None => Config::incluster().context(
            "no API server is known: no --kubeconfig, no KUBECONFIG, no ~/.kube/config, and this is not a Pod with a service account",
        ),
    }
}

/// The kubeconfig and where it is from, for errors.
fn kubeconfig(args: &ClientArgs) -> anyhow::Result<Option<(Kubeconfig, String)>> {
    if let Some(path) = &args.kubeconfig {
        return read(path).map(Some);
    }
    let from_env = Kubeconfig::from_env().map_err(|err| explain(err, "KUBECONFIG"))?;
    if let Some(kubeconfig) = from_env {
        return Ok(Some((kubeconfig, "KUBECONFIG".to_owned())));
    }
    let home = env::home_dir().map(|home| home.join(".kube").join("config"));
    home.filter(|path| path.exists()).map(|path| read(&path)).transpose()
}

fn read(path: &Path) -> anyhow::Result<(Kubeconfig, String)> {
    let origin = path.display().to_string();
    let kubeconfig = Kubeconfig::read_from(path).map_err(|err| explain(err, &origin))?;
    Ok((kubeconfig, origin))
}

/// A kubeconfig holds keys and tokens: of a file that does not parse, the error's text would show lines.
fn explain(err: KubeconfigError, origin: &str) -> anyhow::Error {
    match err {
        KubeconfigError::Parse(err) => {
            let place = err
                .location()
                .map(|at| format!(" at line {}, column {}", at.line(), at.column()))
                .unwrap_or_default();
            anyhow!("the kubeconfig ({origin}) cannot be parsed{place}")
        }
        err => anyhow::Error::new(err).context(format!("the kubeconfig ({origin}) cannot be used")),
    }
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
mod tests;
