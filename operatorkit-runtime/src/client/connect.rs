//! A client with our limits.

use std::time::Duration;

use anyhow::Context as _;
use http::HeaderValue;
use kube::{Client, Config};

use super::{config::ClientConfig, rotate::rotating, source::Source, stack, told};

const CONNECT: Duration = Duration::from_secs(10);
/// Silence within an answer. A watch is silent for minutes, but ends within 290 seconds unless more is asked for.
const SILENCE: Duration = Duration::from_secs(295);
const WRITE: Duration = Duration::from_mins(1);

/// Makes a client. It sends nothing: an API server that is away is found out, and tried again, by the operators.
///
/// `give_up`: bytes that were not acknowledged for so long do not arrive any more.
pub(crate) async fn connect(
    config: &ClientConfig,
    agent: HeaderValue,
    give_up: Option<Duration>,
) -> anyhow::Result<Client> {
    rotating(Source::new(config.clone(), agent)?, give_up).await
}

pub(super) fn build(mut config: Config, give_up: Option<Duration>) -> anyhow::Result<Client> {
    // kube would send a POST again that may have been carried out; our backoff is per object and looks before it repeats.
    config.default_retry = false;
    config.disable_compression = true;
    config.connect_timeout = Some(CONNECT);
    config.read_timeout = Some(SILENCE);
    config.write_timeout = Some(WRITE);
    // The silence counts from the request, not from when the pooled connection was last used.
    config.reset_reader_on_write = true;
    let url = config.cluster_url.clone();
    // Only kube knows a plugin's certificate, and the connection through a proxy is the proxy's.
    let own = config.auth_info.exec.is_none() && config.proxy_url.is_none();
    let client = match give_up.filter(|_| own) {
        Some(give_up) => stack::that_gives_up(&config, give_up),
        None => stack::of_kube(config),
    };
    client
        .map_err(told::client)
        .with_context(|| format!("cannot make a client for {url}"))
}
