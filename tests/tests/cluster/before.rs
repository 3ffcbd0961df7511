//! A client that lets a test act before a request leaves: what somebody else does between our look and our write.

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http::{Request, Response};
use operatorkit::kube::{self, Client, Config, client::ClientBuilder};
use tower::{BoxError, Layer, Service};

type Act = dyn Fn(&Request<kube::client::Body>) -> Doing + Send + Sync;
/// What is done before a request leaves.
pub(crate) type Doing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A client whose requests leave after what the closure does for them.
pub(crate) fn client(
    config: Config,
    act: impl Fn(&Request<kube::client::Body>) -> Doing + Send + Sync + 'static,
) -> Client {
    let builder = ClientBuilder::try_from(config).expect("a client");
    builder.with_layer(&Before(Arc::new(act))).build()
}

#[derive(Clone)]
struct Before(Arc<Act>);

impl fmt::Debug for Before {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Before")
    }
}

impl<S> Layer<S> for Before {
    type Service = Acting<S>;

    fn layer(&self, inner: S) -> Acting<S> {
        Acting {
            inner,
            act: self.0.clone(),
        }
    }
}

struct Acting<S> {
    inner: S,
    act: Arc<Act>,
}

impl<S, B> Service<Request<kube::client::Body>> for Acting<S>
where
    S: Service<Request<kube::client::Body>, Response = Response<B>, Error = BoxError>,
    S::Future: Send + 'static,
{
    type Response = Response<B>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<B>, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<kube::client::Body>) -> Self::Future {
        let doing = (self.act)(&request);
        // A client sends nothing before its answer is polled.
        let answer = self.inner.call(request);
        Box::pin(async move {
            doing.await;
            answer.await
        })
    }
}
