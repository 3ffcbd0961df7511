//! The HTTP endpoints of a running program: `/metrics`, `/healthz`, `/readyz`.
//!
//! Plain HTTP/1.1, for who scrapes and probes inside of a cluster; who may reach the port is for a `NetworkPolicy` to say.

mod address;
mod answer;
mod listen;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;
use tracing::info;

use self::answer::Served;
use super::RunSettings;
use crate::metrics::Metrics;

pub(super) use address::{Address, address};

/// The ports that are served; dropping it ends them.
pub(super) type Serving = Vec<AbortOnDropHandle<()>>;

/// Listens where the settings say, and serves from now on.
///
/// # Errors
/// An address that cannot be listened on.
pub(super) async fn start(metrics: &Metrics, settings: &RunSettings) -> anyhow::Result<Serving> {
    let RunSettings {
        metrics_address,
        health_address,
        ..
    } = settings;
    let (of_metrics, of_health) = (
        Served {
            metrics: true,
            health: false,
        },
        Served {
            metrics: false,
            health: true,
        },
    );
    if let (Some(one), Some(other)) = (metrics_address, health_address)
        && one == other
        && one.port() != 0
    {
        let both = Served {
            metrics: true,
            health: true,
        };
        return Ok(vec![
            serve(*one, "metrics and health", "--metrics-address", both, metrics).await?,
        ]);
    }
    let mut serving = Serving::new();
    if let Some(address) = metrics_address {
        serving.push(serve(*address, "metrics", "--metrics-address", of_metrics, metrics).await?);
    }
    if let Some(address) = health_address {
        serving.push(serve(*address, "health", "--health-address", of_health, metrics).await?);
    }
    Ok(serving)
}

async fn serve(
    address: SocketAddr,
    what: &str,
    flag: &str,
    served: Served,
    metrics: &Metrics,
) -> anyhow::Result<AbortOnDropHandle<()>> {
    let listener = bind(address).await.with_context(|| {
        format!("cannot serve {what} on {address}; choose another address with {flag}, or turn it off with {flag}=0")
    })?;
    let bound = listener.local_addr().unwrap_or(address);
    info!(address = %bound, "serving {what}");
    let serving = tokio::spawn(listen::accept(listener, served, metrics.clone()));
    Ok(AbortOnDropHandle::new(serving))
}

/// `[::]` takes IPv4, too; where there is no IPv6, every address is `0.0.0.0`.
async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    match TcpListener::bind(address).await {
        Err(err)
            if address.ip().is_unspecified() && address.is_ipv6() && err.kind() != std::io::ErrorKind::AddrInUse =>
        {
            TcpListener::bind((std::net::Ipv4Addr::UNSPECIFIED, address.port())).await
        }
        bound => bound,
    }
}
