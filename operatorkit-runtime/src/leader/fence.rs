//! The fence: what a process that does not lead would write is refused before it is sent.

use std::{
    error::Error,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use futures::future::BoxFuture;
use http::{Method, Request, Response, Uri};
use kube::{Client, client::Body};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};
use tower::{BoxError, Service};

/// Groups whose POSTs store nothing: reviews.
const REVIEWS: [&str; 2] = ["/apis/authorization.k8s.io/", "/apis/authentication.k8s.io/"];

/// Whether this process leads; for whoever has to wait for it or to know it. Clones are one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leadership(Option<Fence>);

/// What lets writes pass while this process leads. Clones are one.
#[derive(Clone, Debug)]
pub(super) struct Fence(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    lead: watch::Sender<Lead>,
    /// Since when something that was begun may still have an effect that nobody waits for.
    loose: Mutex<Option<Instant>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    /// Not yet.
    No,
    /// It leads until then, unless that is put off.
    Until(Instant),
    /// It has led, and never will again.
    Over,
}

impl Leadership {
    /// Until this process leads; without an election it does at once. It never ends if the process ends as a candidate.
    pub(crate) async fn begun(&self) {
        let Some(fence) = &self.0 else { return };
        let mut lead = fence.0.lead.subscribe();
        if lead.wait_for(|lead| matches!(lead, Lead::Until(_))).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Something was cut off while it ran: it may still have an effect.
    pub(crate) fn cut_off(&self) {
        if let Some(fence) = &self.0 {
            fence.cut_off();
        }
    }

    /// Whether this process leads; always without an election.
    pub(crate) fn leads(&self) -> bool {
        self.0.as_ref().is_none_or(|fence| fence.left().is_some())
    }
}

impl Fence {
    /// Closed.
    pub(super) fn new() -> Self {
        Self(Arc::new(Shared {
            lead: watch::Sender::new(Lead::No),
            loose: Mutex::default(),
        }))
    }

    pub(super) fn leadership(&self) -> Leadership {
        Leadership(Some(self.clone()))
    }

    /// A client whose writes are fenced.
    pub(super) fn client(&self, inner: Client) -> Client {
        let namespace = inner.default_namespace().to_owned();
        let service = Fenced {
            inner,
            fence: self.clone(),
        };
        Client::new(service, namespace)
    }

    /// Open until then. It does not open again once it is [over](Self::end).
    pub(super) fn open(&self, until: Instant) {
        self.0.lead.send_if_modified(|lead| {
            let open = *lead != Lead::Over;
            if open {
                *lead = Lead::Until(until);
            }
            open
        });
    }

    /// Closed for good.
    pub(super) fn end(&self) {
        self.0.lead.send_replace(Lead::Over);
    }

    /// Until when it is open, if it is.
    pub(super) fn until(&self) -> Option<Instant> {
        match *self.0.lead.borrow() {
            Lead::Until(until) => Some(until),
            Lead::No | Lead::Over => None,
        }
    }

    /// How long it is still open, if it is.
    fn left(&self) -> Option<Duration> {
        let left = self.until()?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Until it is closed: its time has come and was not put off.
    async fn closed(&self) {
        let mut lead = self.0.lead.subscribe();
        loop {
            let Lead::Until(until) = *lead.borrow_and_update() else {
                return;
            };
            tokio::select! {
                () = sleep_until(until) => {}
                _ = lead.changed() => continue,
            }
            if *lead.borrow_and_update() == Lead::Until(until) {
                return;
            }
        }
    }

    fn cut_off(&self) {
        *self.0.loose.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether something that was begun within this time may still have an effect.
    pub(super) fn is_loose(&self, within: Duration) -> bool {
        let loose = *self.0.loose.lock().unwrap_or_else(PoisonError::into_inner);
        loose.is_some_and(|since| since.elapsed() < within)
    }
}

/// A client behind the fence.
struct Fenced {
    inner: Client,
    fence: Fence,
}

impl Service<Request<Body>> for Fenced {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let client = self.inner.clone();
        if !changes(request.method(), request.uri().path()) {
            return Box::pin(async move { client.send(request).await.map_err(flat) });
        }
        let fence = self.fence.clone();
        Box::pin(async move {
            let refused = NotLeading {
                request: format!("{} {}", request.method(), request.uri().path()),
                sent: false,
            };
            let left = fence.left().ok_or_else(|| refused.clone())?;
            *request.uri_mut() = bounded(request.uri(), left)?;
            let mut sent = Sent(Some(fence.clone()));
            tokio::select! {
                biased;
                answer = client.send(request) => {
                    if answer.is_ok() {
                        sent.0 = None;
                    }
                    answer.map_err(flat)
                }
                () = fence.closed() => Err(NotLeading { sent: true, ..refused }.into()),
            }
        })
    }
}

/// A request that was sent and not answered: it may still be carried out.
struct Sent(Option<Fence>);

impl Drop for Sent {
    fn drop(&mut self) {
        if let Some(fence) = &self.0 {
            fence.cut_off();
        }
    }
}

/// Whether a request may change something.
pub(super) fn changes(method: &Method, path: &str) -> bool {
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
    let review = *method == Method::POST && REVIEWS.iter().any(|group| path.starts_with(group));
    !reads && !review
}

/// The API server gives up after this time (kube-apiserver, `WithRequestDeadline`), also if it does not notice that nobody waits any more.
fn bounded(uri: &Uri, left: Duration) -> Result<Uri, http::Error> {
    let mut parts = uri.clone().into_parts();
    let joint = if uri.query().is_some() { '&' } else { '?' };
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    // Zero would mean: as long as the server likes.
    let bounded = format!("{path}{joint}timeout={}ms", left.as_millis().max(1));
    parts.path_and_query = Some(bounded.parse()?);
    Ok(Uri::from_parts(parts)?)
}

/// kube wraps what a service answers: once is enough.
fn flat(err: kube::Error) -> BoxError {
    match err {
        kube::Error::Service(err) => err,
        err => err.into(),
    }
}

/// A write of a process that does not lead, or not surely any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotLeading {
    request: String,
    /// Whether it was sent, and cut off then.
    sent: bool,
}

impl fmt::Display for NotLeading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, sent } = self;
        if *sent {
            write!(
                f,
                "this process does not surely lead any more: `{request}` was cut off, whether it was carried out is not known"
            )
        } else {
            write!(f, "this process does not lead: `{request}` was not sent")
        }
    }
}

impl Error for NotLeading {}
