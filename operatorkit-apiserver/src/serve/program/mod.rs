//! What the program does, around a core: arguments, kubeconfig, and the file between runs.

mod arguments;
mod keep;

use std::{error::Error, future::Future, path::Path, process::ExitCode};

use bytes::Bytes;
use clap::Parser;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use tower::Service;
use tracing_subscriber::EnvFilter;

pub use arguments::{Arguments, Controllers};

use super::{Server, Serving, file, kubeconfig::Credential, state::State};
use crate::access::User;
use keep::{Keep, Secrets, keep_until, read};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How a core is to be.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which controllers run.
    pub controllers: Controllers,
    /// Whether RBAC is enforced.
    pub rbac: bool,
    /// What an earlier run has left.
    pub state: Option<State>,
}

/// What the program serves.
pub trait Core: Sized + Send + Sync + 'static {
    /// Answers requests; an error drops the connection.
    type Service: Service<Request<Incoming>, Response = Response<Self::Body>, Future: Send> + Clone + Send + 'static;
    /// The bodies of answers.
    type Body: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static;

    /// Starts.
    ///
    /// # Errors
    ///
    /// In words for people, if the state cannot be used.
    fn start(settings: Settings) -> impl Future<Output = Result<Self>> + Send;

    /// What answers requests.
    fn service(&self) -> Self::Service;

    /// The resourceVersion of the last change.
    fn version(&self) -> u64;

    /// Everything that the next run needs.
    fn state(&self) -> State;

    /// Ends controllers and watches.
    fn stop(&self) -> impl Future<Output = ()> + Send;
}

/// The program: reads the arguments, serves until Ctrl-C or SIGTERM.
pub fn main<C: Core>() -> ExitCode {
    let arguments = Arguments::parse();
    let served = log(&arguments.log).and_then(|()| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(run::<C>(&arguments, asked_to_stop(), |_| {}))
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves until `stop` is ready; `ready` is called when the server answers.
///
/// # Errors
///
/// If the port is taken, a file cannot be written, or the state cannot be used.
pub async fn run<C: Core>(
    arguments: &Arguments,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(&Serving),
) -> Result<()> {
    let state = match &arguments.state {
        Some(path) => read(path)?,
        None => None,
    };
    let secrets = Secrets::of(state.as_ref())?;
    let settings = Settings {
        controllers: arguments.controllers,
        rbac: arguments.rbac,
        state,
    };
    let core = C::start(settings).await?;
    let mut server = Server::new(core.service())
        .port(arguments.port)
        .identity(secrets.identity.clone());
    if arguments.plain {
        server = server.plain();
    }
    let address = format!("127.0.0.1:{}", arguments.port);
    let serving = server
        .start()
        .await
        .map_err(|error| format!("{address} cannot be served: {error}"))?;
    let token = secrets.token.clone().unwrap_or_else(|| serving.token(&User::admin()));
    serving.accept_token(&token, &User::admin());
    hand_out(arguments.kubeconfig.as_deref(), &serving, &token)?;
    tracing::info!(url = serving.url(), "serving");
    ready(&serving);
    let keep = arguments.state.as_deref().map(|path| Keep {
        path,
        secrets: secrets.named(&token),
    });
    keep_until(&core, keep.as_ref(), stop).await;
    serving.shutdown().await;
    core.stop().await;
    match keep {
        Some(keep) => keep.write(&core).await,
        None => Ok(()),
    }
}

fn log(directives: &str) -> Result<()> {
    let filter = EnvFilter::try_new(directives)?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .try_init()
}

async fn asked_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    _ = tokio::signal::ctrl_c().await;
}

fn hand_out(path: Option<&Path>, serving: &Serving, token: &str) -> Result<()> {
    let config = serving.kubeconfig_with(&User::admin(), &Credential::Token(token.to_owned()));
    let Some(path) = path else {
        print!("{config}");
        return Ok(());
    };
    let written = file::replace(path, |to| to.write_all(config.as_bytes()));
    written.map_err(|error| format!("the kubeconfig {} cannot be written: {error}", path.display()).into())
}
