//! From a request of kube's to bytes on a connection.

use std::time::Duration;

use http::{Request, Response};
use hyper_timeout::TimeoutConnector;
use hyper_util::{
    client::legacy::{Builder, connect::HttpConnector},
    rt::TokioExecutor,
};
use kube::{
    Client, Config,
    client::{Body, ClientBuilder, ConfigExt as _},
};
use tokio::time::timeout;
use tower::{BoxError, Service, ServiceBuilder, util::MapFutureLayer};

/// Until the head of an answer: a little more than the 60 seconds after which the API server itself gives up (`--request-timeout`), since
/// its answer says more. The head of a watch comes at once.
const ANSWER: Duration = Duration::from_secs(65);

/// kube's own stack.
pub(super) fn of_kube(config: Config) -> kube::Result<Client> {
    Ok(finished(ClientBuilder::try_from(config)?))
}

/// The same without its logs, on connections whose bytes cannot arrive later than this: kube lets nobody set that.
pub(super) fn that_gives_up(config: &Config, after: Duration) -> kube::Result<Client> {
    let https = config.rustls_https_connector_with_connector(connector(after))?;
    let mut connector = TimeoutConnector::new(https);
    connector.set_connect_timeout(config.connect_timeout);
    connector.set_read_timeout(config.read_timeout);
    connector.set_write_timeout(config.write_timeout);
    connector.set_reset_reader_on_write(config.reset_reader_on_write);
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(Builder::new(TokioExecutor::new()).build::<_, Body>(connector));
    Ok(finished(ClientBuilder::new(service, &config.default_namespace)))
}

/// The system goes on sending what is in its buffers for minutes, also on a connection that was closed, and a network that comes back delivers it.
/// After `TCP_USER_TIMEOUT` without an acknowledgement it drops them (Linux; elsewhere it is left to the system).
pub(super) fn connector(give_up: Duration) -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    connector.set_tcp_user_timeout(Some(give_up));
    #[cfg(not(any(target_os = "android", target_os = "fuchsia", target_os = "linux")))]
    let _ = give_up;
    connector
}

fn finished<S, B>(builder: ClientBuilder<S>) -> Client
where
    S: Service<Request<Body>, Response = Response<B>, Error = BoxError> + Send + 'static,
    S::Future: Send + 'static,
    B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let layer = MapFutureLayer::new(|answer| async {
        let late = |_| BoxError::from(format!("the API server did not answer within {ANSWER:?}"));
        timeout(ANSWER, answer).await.map_err(late).flatten()
    });
    builder.with_layer(&layer).build()
}
