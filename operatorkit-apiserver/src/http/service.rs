//! The server as a `tower::Service`.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{Request, Response};

use super::{
    answer,
    body::{Body, Dropped},
    handle, panic,
};
use crate::{access::User, core::Core};

/// Answers requests in process, without a socket. Cheap to clone. The caller is the [`User`] in the extensions of a request, or
/// else the one of this service; `Authorization` and `Impersonate-…` headers count as they do on a port.
#[derive(Clone, Debug)]
pub struct ApiService {
    core: Arc<Core>,
    user: Option<User>,
}

impl ApiService {
    pub(crate) fn new(core: Arc<Core>, user: Option<User>) -> Self {
        Self { core, user }
    }
}

impl<B> tower::Service<Request<B>> for ApiService
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Dropped;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Dropped>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Dropped>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let extensions = request.extensions_mut();
        if let Some(user) = self.user.as_ref().filter(|_| extensions.get::<User>().is_none()) {
            extensions.insert(user.clone());
        }
        let handled = handle::handle(self.core.clone(), request);
        Box::pin(async {
            let answered = panic::caught(handled).await;
            answered.unwrap_or_else(|failure| Ok(answer::failure(&failure, &http::HeaderMap::new())))
        })
    }
}
