//! An API server of a few lines, for tests: what a closure answers.

use std::sync::{Arc, Mutex};

use http::{Request, Response};
use kube::{Client, client::Body};
use tower::service_fn;

use super::Cluster;

/// What was asked: `GET /path?query`.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    pub(super) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    pub(super) fn count(&self, what: &str) -> usize {
        self.all().iter().filter(|asked| asked.contains(what)).count()
    }
}

/// A cluster that answers with what the closure says to `GET /path?query` and the request's body.
pub(super) fn cluster<F>(answer: F) -> (Cluster, Asked)
where
    F: Fn(&str, &str) -> Reply + Send + Sync + 'static,
{
    let asked = Asked::default();
    let (answer, log) = (Arc::new(answer), asked.clone());
    let service = service_fn(move |request: Request<Body>| {
        let (answer, log) = (answer.clone(), log.clone());
        async move {
            let line = format!("{} {}", request.method(), request.uri());
            let body = request.into_body().collect_bytes().await?;
            log.0.lock().unwrap().push(line.clone());
            match answer(&line, &String::from_utf8_lossy(&body)) {
                Reply::Json(code, body) => Ok(Response::builder().status(code).body(Body::from(body.into_bytes()))?),
                Reply::Hang => std::future::pending().await,
                Reply::Break => Err(tower::BoxError::from("connection refused")),
            }
        }
    });
    (
        Cluster::new(Client::new(service, "default"), "operatorkit.dev/test"),
        asked,
    )
}

/// What the server does.
pub(super) enum Reply {
    Json(u16, String),
    /// It never answers.
    Hang,
    /// The connection fails.
    Break,
}

impl Reply {
    pub(super) fn json(code: u16, body: impl std::fmt::Display) -> Self {
        Self::Json(code, body.to_string())
    }
}
