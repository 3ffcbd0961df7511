//! What one client sends: a tower layer that writes down each request and the status of its answer.

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use http::{Method, Request, Response, StatusCode};
use tower::{Layer, Service};

/// A record of requests. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    sent: Arc<Mutex<Vec<Sent>>>,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its method.
    pub method: Method,
    /// Its path and query.
    pub uri: String,
    /// The status of the answer; `None` until there is one, and where the connection failed.
    pub code: Option<StatusCode>,
}

impl Recorder {
    /// The layer that fills this record; for [`ClientBuilder::with_layer`](kube::client::ClientBuilder::with_layer).
    pub fn layer(&self) -> RecordLayer {
        RecordLayer { recorder: self.clone() }
    }

    /// All requests so far, in the order in which they were sent. Its length is a mark: what comes later is behind it.
    pub fn sent(&self) -> Vec<Sent> {
        self.lock().clone()
    }

    /// How many of each method; a method without requests is absent.
    pub fn by_method(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for sent in self.lock().iter() {
            *counts.entry(sent.method.to_string()).or_default() += 1;
        }
        counts
    }

    /// Answers where the entry is. Entries are never removed.
    fn push(&self, sent: Sent) -> usize {
        let mut all = self.lock();
        all.push(sent);
        all.len() - 1
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Sent>> {
        // A list of finished entries is whole even after a panic.
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self
            .code
            .map_or_else(|| "no answer".into(), |code| code.as_u16().to_string());
        write!(f, "{} {} {code}", self.method, self.uri)
    }
}

/// The layer of a [`Recorder`].
#[derive(Clone, Debug)]
pub struct RecordLayer {
    recorder: Recorder,
}

impl<S> Layer<S> for RecordLayer {
    type Service = Recording<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Recording {
            inner,
            recorder: self.recorder.clone(),
        }
    }
}

/// The service of a [`RecordLayer`].
#[derive(Clone, Debug)]
pub struct Recording<S> {
    inner: S,
    recorder: Recorder,
}

impl<S, B, C> Service<Request<B>> for Recording<S>
where
    S: Service<Request<B>, Response = Response<C>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let uri = request
            .uri()
            .path_and_query()
            .map_or_else(String::new, ToString::to_string);
        let sent = Sent {
            method: request.method().clone(),
            uri,
            code: None,
        };
        let recorder = self.recorder.clone();
        let at = recorder.push(sent);
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            recorder.lock()[at].code = Some(answer.status());
            Ok(answer)
        })
    }
}
