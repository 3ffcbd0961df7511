//! The tiny service: it says who asks, streams, fails and panics as its path says.

use std::{io, pin::Pin, task::Poll};

use bytes::Bytes;
use futures::{FutureExt, Stream, StreamExt, future::BoxFuture, stream};
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Incoming;
use tower::Service;

use crate::{access::User, serve::Disconnect};

pub(super) type EchoBody = StreamBody<Pin<Box<dyn Stream<Item = Result<Frame<Bytes>, io::Error>> + Send>>>;

#[derive(Clone)]
pub(super) struct Echo;

impl Service<Request<Incoming>> for Echo {
    type Response = Response<EchoBody>;
    type Error = io::Error;
    type Future = BoxFuture<'static, Result<Self::Response, io::Error>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        async move {
            if request.uri().path() == "/error" {
                return Err(io::Error::other("a fault"));
            }
            Ok(answer(request).await)
        }
        .boxed()
    }
}

async fn answer(request: Request<Incoming>) -> Response<EchoBody> {
    let user = request
        .extensions()
        .get::<User>()
        .map_or("nobody".to_owned(), |it| format!("{}{:?}", it.name, it.groups));
    match request.uri().path() {
        "/watch" => body(stream::iter([Ok(Frame::data("event\n".into()))]).chain(stream::pending())),
        "/cut" => body(stream::iter([
            Ok(Frame::data("half".into())),
            Err(io::Error::other("a fault")),
        ])),
        "/disconnect" => {
            let mut response = body(stream::empty());
            response.extensions_mut().insert(Disconnect);
            response
        }
        "/hang" => std::future::pending().await,
        "/token" => {
            let token = request.headers()["authorization"].as_bytes().to_vec();
            body(stream::iter([Ok(Frame::data(token.into()))]))
        }
        "/panic" => panic!("as asked"),
        "/body" => {
            let bytes = request
                .into_body()
                .collect()
                .await
                .map(http_body_util::Collected::to_bytes)
                .unwrap_or_default();
            body(stream::iter([Ok(Frame::data(bytes))]))
        }
        _ => body(stream::iter([Ok(Frame::data(user.into()))])),
    }
}

fn body(frames: impl Stream<Item = Result<Frame<Bytes>, io::Error>> + Send + 'static) -> Response<EchoBody> {
    Response::new(StreamBody::new(Box::pin(frames)))
}
