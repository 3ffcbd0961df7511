//! One connection, from its handshake to its end.

use std::{convert::Infallible, error::Error, pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::{
    body::Incoming,
    rt::{Read, Write},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::Service;

use super::request::{Caller, Shared};
use crate::access::{User, certificate};

/// A client that does not finish its handshake or its headers by then is not waited for.
const PATIENCE: Duration = Duration::from_secs(15);
/// Requests at the same time on one connection; as the real server.
const MAX_STREAMS: u32 = 1000;
/// Headers of a request may be so long, as in Go.
const MAX_HEADERS: usize = 1 << 20;
/// What is already yielded has so long to be sent before a connection is cut.
const FLUSH: Duration = Duration::from_millis(50);

/// Serves a connection until it ends; after `stopping` until what runs on it ends.
pub(super) async fn serve<S, B>(stream: TcpStream, tls: Option<Arc<rustls::ServerConfig>>, service: S, shared: Shared)
where
    S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    // Small answers are not to wait for each other.
    _ = stream.set_nodelay(true);
    let Some(tls) = tls else {
        return run(TokioIo::new(stream), service, shared, None).await;
    };
    match timeout(PATIENCE, TlsAcceptor::from(tls).accept(stream)).await {
        Ok(Ok(stream)) => {
            let chain = stream.get_ref().1.peer_certificates();
            let user = chain.and_then(|it| certificate::user(it.first()?));
            run(TokioIo::new(stream), service, shared, user).await;
        }
        Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
        Err(_) => tracing::debug!("a TLS handshake took too long"),
    }
}

async fn run<I, S, B>(io: I, service: S, shared: Shared, certificate: Option<User>)
where
    I: Read + Write + Unpin + Send + 'static,
    S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let cut = CancellationToken::new();
    let stopping = shared.stopping.clone();
    let caller = Caller {
        service,
        shared,
        certificate,
        cut: cut.clone(),
    };
    let service = service_fn(move |request| {
        let caller = caller.clone();
        async move { Ok::<_, Infallible>(caller.answer(request).await) }
    });
    let builder = builder();
    let mut connection = pin!(builder.serve_connection(io, service));
    let mut graceful = false;
    loop {
        tokio::select! {
            ended = &mut connection => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended");
                }
                return;
            }
            () = cut.cancelled() => {
                // Dropping the connection afterwards closes the socket without another word.
                tokio::select! {
                    _ = &mut connection => {}
                    () = sleep(FLUSH) => {}
                }
                return;
            }
            () = stopping.cancelled(), if !graceful => {
                graceful = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MAX_HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(u32::try_from(MAX_HEADERS).unwrap_or(u32::MAX));
    builder
}
