//! A client with our limits.

use std::time::Duration;

use anyhow::Context as _;
use http::HeaderValue;
use kube::{Client, Config, client::ClientBuilder};
use tokio::time::timeout;
use tower::{BoxError, util::MapFutureLayer};

use super::{config::ClientConfig, rotate::rotating, source::Source, told};

const CONNECT: Duration = Duration::from_secs(10);
/// Until the head of an answer: a little more than the 60 seconds after which the API server itself gives up (`--request-timeout`), since
/// its answer says more. The head of a watch comes at once.
const ANSWER: Duration = Duration::from_secs(65);
/// Silence within an answer. A watch is silent for minutes, but ends within 290 seconds unless more is asked for.
const SILENCE: Duration = Duration::from_secs(295);
const WRITE: Duration = Duration::from_mins(1);

/// Makes a client. It sends nothing: an API server that is away is found out, and tried again, by the operators.
pub(crate) async fn connect(config: &ClientConfig, agent: HeaderValue) -> anyhow::Result<Client> {
    rotating(Source::new(config.clone(), agent)?).await
}

pub(super) fn build(mut config: Config) -> anyhow::Result<Client> {
    // kube would send a POST again that may have been carried out; our backoff is per object and looks before it repeats.
    config.default_retry = false;
    config.disable_compression = true;
    config.connect_timeout = Some(CONNECT);
    config.read_timeout = Some(SILENCE);
    config.write_timeout = Some(WRITE);
    // The silence counts from the request, not from when the pooled connection was last used.
    config.reset_reader_on_write = true;
    let url = config.cluster_url.clone();
    let builder = ClientBuilder::try_from(config).map_err(told::client);
    let builder = builder.with_context(|| format!("cannot make a client for {url}"))?;
    let layer = MapFutureLayer::new(|answer| async {
        let late = |_| BoxError::from(format!("the API server did not answer within {ANSWER:?}"));
        timeout(ANSWER, answer).await.map_err(late).flatten()
    });
    Ok(builder.with_layer(&layer).build())
}
