//! One request: who asks, the answer of the core, and what becomes of a panic.

use std::{
    error::Error,
    future::pending,
    panic::AssertUnwindSafe,
    sync::{Arc, PoisonError, RwLock},
};

use bytes::Bytes;
use futures::FutureExt;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;
use tower::{Service, ServiceExt};

use super::{body::Guarded, signal::Disconnect};
use crate::{
    access::{Authenticator, User},
    failure::Failure,
    negotiate::{accept_for_error, encode::respond},
};

/// What all requests of a server share.
#[derive(Clone)]
pub(super) struct Shared {
    /// The tokens that were made for kubeconfigs.
    pub(super) issued: Arc<RwLock<Authenticator>>,
    /// Judges the other tokens; `None` leaves that to the service.
    pub(super) authenticator: Option<Arc<Authenticator>>,
    pub(super) stopping: CancellationToken,
}

/// What all requests of a connection share.
#[derive(Clone)]
pub(super) struct Caller<S> {
    pub(super) service: S,
    pub(super) shared: Shared,
    /// The user of the client certificate.
    pub(super) certificate: Option<User>,
    /// Set to end the connection.
    pub(super) cut: CancellationToken,
}

type Answer<B> = Response<Either<Full<Bytes>, Guarded<B>>>;

impl<S, B> Caller<S>
where
    S: Service<Request<Incoming>, Response = Response<B>>,
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    /// The answer to a request.
    pub(super) async fn answer(self, mut request: Request<Incoming>) -> Answer<B> {
        let accept = request.headers().get(http::header::ACCEPT).cloned();
        match self.user(request.headers_mut()) {
            Ok(Some(user)) => _ = request.extensions_mut().insert(user),
            Ok(None) => {}
            Err(failure) => return refusal(&failure, accept.as_ref()),
        }
        let answered = AssertUnwindSafe(self.service.oneshot(request).map(Result::ok))
            .catch_unwind()
            .await;
        let Ok(answered) = answered else {
            tracing::error!("a request panicked");
            let failure = Failure::internal("the handler of the request panicked");
            return refusal(&failure, accept.as_ref());
        };
        let response = match answered {
            Some(response) if response.extensions().get::<Disconnect>().is_none() => response,
            _ => {
                self.cut.cancel();
                return pending().await;
            }
        };
        let stopping = self.shared.stopping.cancelled_owned();
        response.map(|body| Either::Right(Guarded::new(body, stopping, self.cut)))
    }

    fn user(&self, headers: &mut HeaderMap) -> Result<Option<User>, Failure> {
        let issued = self.shared.issued.read().unwrap_or_else(PoisonError::into_inner);
        let known = self.certificate.clone().or_else(|| issued.recognize(headers));
        match &self.shared.authenticator {
            Some(others) => others.authenticate(headers, known.as_ref()),
            None => Ok(known),
        }
    }
}

fn refusal<B>(failure: &Failure, accept: Option<&http::HeaderValue>) -> Response<Either<Full<Bytes>, B>> {
    let accepted = accept_for_error(accept.and_then(|it| it.to_str().ok()));
    let code = StatusCode::from_u16(failure.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    respond(code, &failure.status(), &accepted, &HeaderMap::new())
        .unwrap_or_else(|_| Response::new(Bytes::new()))
        .map(|bytes| Either::Left(Full::new(bytes)))
}
