//! What is served, where, and for whom.

use std::{
    error::Error,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use tokio::{net::TcpListener, task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;
use tower::Service;

use super::{Identity, Serving, connection, request::Shared};
use crate::access::Authenticator;

/// More connections than this wait to be accepted.
const MAX_CONNECTIONS: usize = 4096;

/// A server that has not started: TLS with a new CA, on a free port of 127.0.0.1.
///
/// The caller of a request is the [`User`](crate::access::User) in its extensions, if it is known here. A service that answers
/// with an error drops the connection.
#[derive(Clone, Debug)]
pub struct Server<S> {
    service: S,
    address: SocketAddr,
    identity: Option<Identity>,
    plain: bool,
    authenticator: Option<Arc<Authenticator>>,
}

impl<S> Server<S> {
    /// Serves this.
    pub fn new(service: S) -> Self {
        Self {
            service,
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            identity: None,
            plain: false,
            authenticator: None,
        }
    }

    /// On this port of 127.0.0.1; 0 is a free one.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        self.address((Ipv4Addr::LOCALHOST, port).into())
    }

    /// At this address.
    #[must_use]
    pub fn address(mut self, address: SocketAddr) -> Self {
        self.address = address;
        self
    }

    /// With this CA.
    #[must_use]
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// Without TLS.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Who is known, besides those whom a kubeconfig is written for; other tokens are answered with 401. Without this, the
    /// service is given tokens that are not known, and judges them itself.
    #[must_use]
    pub fn authenticator(mut self, authenticator: Authenticator) -> Self {
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Starts on the tokio runtime of the caller.
    ///
    /// # Errors
    ///
    /// If the port is taken, or there are no random numbers for keys.
    pub async fn start<B>(self) -> io::Result<Serving>
    where
        S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
        S::Future: Send + 'static,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let listener = TcpListener::bind(self.address).await?;
        let address = listener.local_addr()?;
        let identity = match self.identity {
            _ if self.plain => None,
            Some(identity) => Some(identity),
            None => Some(Identity::generate().map_err(io::Error::other)?),
        };
        let tls = identity.as_ref().map(Identity::server_config).transpose();
        let tls = tls.map_err(io::Error::other)?.map(Arc::new);
        let shared = Shared {
            issued: Arc::default(),
            authenticator: self.authenticator,
            stopping: CancellationToken::new(),
        };
        let task = tokio::spawn(accept(listener, tls, self.service, shared.clone()));
        Ok(Serving::new(address, identity, shared, task))
    }
}

/// Accepts connections until the server stops, then waits for those that are open. Aborting it ends them all.
async fn accept<S, B>(listener: TcpListener, tls: Option<Arc<rustls::ServerConfig>>, service: S, shared: Shared)
where
    S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = shared.stopping.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept(), if connections.len() < MAX_CONNECTIONS => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection::serve(stream, tls.clone(), service.clone(), shared.clone()));
                }
                Err(error) => {
                    // Often there are too many open files: others may close some.
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(Duration::from_millis(50)).await;
                }
            },
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}
