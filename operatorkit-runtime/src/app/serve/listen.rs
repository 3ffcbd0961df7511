//! Connections: so many at a time, each with little time.

use std::{convert::Infallible, sync::Arc, time::Duration};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::sleep,
};

use super::answer::{Served, answer};
use crate::metrics::Metrics;

/// Connections at the same time: more than probes and a pair of Prometheus servers ever need.
const CONNECTIONS: usize = 64;
/// A client that has not sent its headers by then is not waited for; it holds for an idle connection, too.
const PATIENCE: Duration = Duration::from_secs(10);
/// Headers of a request may be so long.
const HEADERS: usize = 16 * 1024;
/// After a failed accept, such as for want of file descriptors.
const REST: Duration = Duration::from_millis(100);

/// Serves until it is dropped, its connections with it.
pub(super) async fn accept(listener: TcpListener, served: Served, metrics: Metrics) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok(place) = room.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let metrics = metrics.clone();
                connections.spawn(async move {
                    converse(stream, served, metrics).await;
                    drop(place);
                });
            }
            Err(err) => {
                tracing::debug!("a connection was not accepted: {err}");
                sleep(REST).await;
            }
        }
    }
}

async fn converse(stream: TcpStream, served: Served, metrics: Metrics) {
    let metrics = &metrics;
    let service = service_fn(|request| async move { Ok::<_, Infallible>(answer(&request, served, metrics).await) });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(err) = served.await {
        tracing::debug!("a connection ended: {err}");
    }
}
