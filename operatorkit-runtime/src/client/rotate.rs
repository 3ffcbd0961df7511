//! New credentials without a restart: a client behind a client, which is made anew when the files have changed.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use futures::future::BoxFuture;
use http::{Request, Response, StatusCode};
use jiff::Timestamp;
use kube::{Client, client::Body};
use tokio::{runtime::Handle, sync::Mutex as Turn, task::spawn_blocking, time::Instant};
use tower::{BoxError, Service};
use tracing::{dispatcher, info, warn};

use super::{
    connect::build,
    files::{Contents, Files},
    source::{Loaded, Source},
    told,
};

/// How old a look at the files may be when a request is sent.
const FRESH: Duration = Duration::from_secs(5);
/// How old after something that other files may cure.
const FRESH_IN_DOUBT: Duration = Duration::from_secs(1);
/// How often a credential plugin is run again because of what it gave.
const PLUGIN_AGAIN: Duration = Duration::from_secs(10);
/// How long before its end a plugin's certificate is replaced; kube does the same with tokens.
const BEFORE_THE_END: Duration = Duration::from_mins(1);

/// How old after an answer 401: what many requests get at once is one reason to look.
const FRESH_AFTER_401: Duration = Duration::from_millis(100);

/// A client whose credentials may change. Clones are one.
#[derive(Clone)]
pub(super) struct Rotating {
    current: Arc<Mutex<Current>>,
    /// Whoever has it looks; the others wait for what comes of it.
    source: Arc<Turn<Source>>,
    /// As for [`connect`](super::connect()).
    give_up: Option<Duration>,
}

struct Current {
    client: Client,
    files: Files,
    contents: Contents,
    plugin: bool,
    /// How often the client was made anew.
    generation: u64,
    looked: Instant,
    /// When the last client was made, or could not be made.
    tried: Instant,
    /// A request failed that other files may cure.
    in_doubt: bool,
    /// Contents that could not be used, which is said once.
    refused: Option<Contents>,
}

/// Why somebody wants to look.
#[derive(Clone, Copy)]
enum Why {
    Request,
    /// What the credentials of this generation got.
    Unauthorized(u64),
}

/// A client for what the source says, now and later.
///
/// # Errors
/// What does not make a client now.
pub(super) async fn rotating(mut source: Source, give_up: Option<Duration>) -> anyhow::Result<Client> {
    let current = Current::of(source.load().await?, 0, give_up)?;
    let client = current.client.clone();
    if current.files.is_empty() && !current.plugin {
        // Nothing that could change.
        return Ok(client);
    }
    let service = Rotating {
        current: Arc::new(Mutex::new(current)),
        source: Arc::new(Turn::new(source)),
        give_up,
    };
    let namespace = client.default_namespace().to_owned();
    Ok(Client::new(service, namespace))
}

impl Rotating {
    async fn send(self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        self.look(Why::Request).await;
        let (client, generation) = self.client();
        let again = copy(&request);
        match client.send(request).await {
            Ok(answer) if answer.status() == StatusCode::UNAUTHORIZED => {
                self.look(Why::Unauthorized(generation)).await;
                let (client, newer) = self.client();
                match again.filter(|_| newer != generation) {
                    // The first one was not carried out.
                    Some(request) => client.send(request).await.map_err(told::request),
                    None => Ok(answer),
                }
            }
            Ok(answer) => Ok(answer),
            Err(err) => {
                self.current().in_doubt = true;
                Err(told::request(err))
            }
        }
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        // Each change of it is whole.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client(&self) -> (Client, u64) {
        let current = self.current();
        (current.client.clone(), current.generation)
    }

    /// Looks at the files, if the last look is too old, and makes a new client, if they have changed.
    async fn look(&self, why: Why) {
        if !self.current().is_due(why) {
            return;
        }
        let mut source = self.source.clone().lock_owned().await;
        // Somebody else may have looked meanwhile.
        if !self.current().is_due(why) {
            return;
        }
        let (this, runtime) = (self.clone(), Handle::current());
        let subscriber = dispatcher::get_default(Clone::clone);
        // Files and plugins take their time, and go on if whoever wants this is dropped.
        let looked = spawn_blocking(move || {
            dispatcher::with_default(&subscriber, || this.refresh(&mut source, why, &runtime));
        });
        if let Err(err) = looked.await {
            warn!("a look at the client's credentials ended in the middle: {err}");
        }
    }

    fn refresh(&self, source: &mut Source, why: Why, runtime: &Handle) {
        let (files, generation) = {
            let current = self.current();
            (current.files.clone(), current.generation)
        };
        let contents = files.contents();
        {
            let mut current = self.current();
            current.looked = Instant::now();
            current.in_doubt = false;
            let as_before = contents == current.contents;
            if as_before {
                current.refused = None;
            }
            if as_before && !current.wants_plugin(why) || current.plugin && current.tried.elapsed() < PLUGIN_AGAIN {
                return;
            }
            current.tried = Instant::now();
        }
        let made = runtime.block_on(async { Current::of(source.load().await?, generation + 1, self.give_up) });
        let mut current = self.current();
        match made {
            Ok(made) => {
                *current = made;
                info!(
                    files = current.files.names(),
                    "new credentials or certificates: requests use them from now on"
                );
            }
            Err(err) => {
                if current.refused.replace(contents) != Some(contents) {
                    warn!("new credentials or certificates cannot be used, the old ones stay in use: {err:#}");
                }
            }
        }
    }
}

impl Current {
    fn of(loaded: Loaded, generation: u64, give_up: Option<Duration>) -> anyhow::Result<Self> {
        let now = Instant::now();
        Ok(Self {
            client: build(loaded.config, give_up)?,
            files: loaded.files,
            contents: loaded.contents,
            plugin: loaded.plugin,
            generation,
            looked: now,
            tried: now,
            in_doubt: false,
            refused: None,
        })
    }

    fn is_due(&self, why: Why) -> bool {
        let fresh = match why {
            // There are newer ones than those that were refused.
            Why::Unauthorized(generation) if generation != self.generation => return false,
            Why::Unauthorized(_) => FRESH_AFTER_401,
            Why::Request if self.in_doubt => FRESH_IN_DOUBT,
            Why::Request => FRESH,
        };
        !self.files.is_empty() && self.looked.elapsed() >= fresh || self.wants_plugin(why)
    }

    /// Whether a plugin is to give new credentials.
    fn wants_plugin(&self, why: Why) -> bool {
        let ends = |until: &Timestamp| Timestamp::now() + BEFORE_THE_END > *until;
        let wanted = matches!(why, Why::Unauthorized(_)) || self.client.valid_until().as_ref().is_some_and(ends);
        self.plugin && wanted && self.tried.elapsed() >= PLUGIN_AGAIN
    }
}

/// The same request; `None` if its body can be read only once.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.version_mut() = request.version();
    *copy.headers_mut() = request.headers().clone();
    *copy.extensions_mut() = request.extensions().clone();
    Some(copy)
}

impl Service<Request<Body>> for Rotating {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(self.clone().send(request))
    }
}
