//! A client whose connection can be cut: all of it, or only its watches.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use operatorkit::kube::{self, Client, Config, client::ClientBuilder};
use tokio::sync::watch;
use tower::{BoxError, Layer, Service};

/// What passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    Everything,
    /// Running watches break, new ones fail; everything else passes.
    NoWatches,
    /// Running watches break, and new ones are told that their version is too old: only a list helps.
    OnlyLists,
    Nothing,
}

/// The switch of a client's connection. It may be turned at any time.
#[derive(Clone, Debug)]
pub(crate) struct Switch(watch::Sender<Passing>);

impl Switch {
    /// A client, and its switch, which lets everything pass.
    pub(crate) fn new(config: Config) -> (Client, Self) {
        let switch = Self(watch::Sender::new(Passing::Everything));
        let builder = ClientBuilder::try_from(config).expect("a client");
        (builder.with_layer(&switch).build(), switch)
    }

    pub(crate) fn turn(&self, passing: Passing) {
        let _before = self.0.send_replace(passing);
    }

    /// Until the switch does not let a running answer go on.
    fn broken(&self, is_watch: bool) -> impl Future<Output = ()> + Send + 'static {
        let mut passing = self.0.subscribe();
        async move {
            let breaks =
                |passing: &Passing| *passing == Passing::Nothing || is_watch && *passing != Passing::Everything;
            if passing.wait_for(breaks).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

impl<S> Layer<S> for Switch {
    type Service = Switched<S>;

    fn layer(&self, inner: S) -> Switched<S> {
        Switched {
            inner,
            switch: self.clone(),
        }
    }
}

pub(crate) struct Switched<S> {
    inner: S,
    switch: Switch,
}

type Answer<C> = Pin<Box<dyn Future<Output = Result<Response<Breakable<C>>, BoxError>> + Send>>;

impl<S, B> Service<Request<kube::client::Body>> for Switched<S>
where
    S: Service<Request<kube::client::Body>, Response = Response<B>, Error = BoxError>,
    S::Future: Send + 'static,
    B: Body + Send + Unpin + 'static,
{
    type Response = Response<Breakable<B>>;
    type Error = BoxError;
    type Future = Answer<B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<kube::client::Body>) -> Self::Future {
        let uri = request.uri().to_string();
        let is_watch = uri.contains("watch=true") || uri.contains("watch=1");
        let passing = *self.switch.0.borrow();
        if passing == Passing::Nothing || is_watch && passing == Passing::NoWatches {
            return Box::pin(async { Err("the test has cut the connection".into()) });
        }
        let expired = is_watch && passing == Passing::OnlyLists;
        if expired {
            // The oldest version of all: the server itself says that it is gone.
            *request.uri_mut() = with_oldest_version(&uri).parse().expect("a URI");
        }
        let broken: Broken = Box::pin(self.switch.broken(is_watch && !expired));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(answer.map(|inner| Breakable {
                inner,
                broken: Some(broken),
            }))
        })
    }
}

fn with_oldest_version(uri: &str) -> String {
    let (before, rest) = uri.split_once("resourceVersion=").expect("a watch names its version");
    let after = rest.find('&').map_or("", |at| &rest[at..]);
    format!("{before}resourceVersion=1{after}")
}

type Broken = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An answer that may break off.
pub(crate) struct Breakable<B> {
    inner: B,
    /// `None` once it is broken.
    broken: Option<Broken>,
}

impl<B: Body<Error = BoxError> + Unpin> Body for Breakable<B> {
    type Data = B::Data;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, BoxError>>> {
        let Some(broken) = &mut self.broken else {
            return Poll::Ready(None);
        };
        if broken.as_mut().poll(cx).is_ready() {
            self.broken = None;
            return Poll::Ready(Some(Err("the test has cut the connection".into())));
        }
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
