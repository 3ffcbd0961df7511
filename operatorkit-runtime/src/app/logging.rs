//! Logs: what is written, and what never is.

use std::io::{self, IsTerminal as _};

use anyhow::Context as _;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::{
    EnvFilter, Layer as _, Registry,
    filter::{FilterFn, ParseError, filter_fn},
    fmt::{self, MakeWriter, format::JsonFields},
    layer::SubscriberExt as _,
};

use super::{cli::LogFormat, json::Json, panics};

/// Targets whose lines show what the API server answered, whatever the filter says, so Secrets, too. kube's client logs
/// the whole body of an answer that it cannot decode as a warning, and its watcher the error, which quotes values. The error itself
/// comes back to the runtime, which reports it without the body.
const NEVER: [&str; 2] = ["kube_client::client", "kube_runtime::watcher"];

/// Not shown unless asked for: kube repeats each failed request as an error that does not say which request it was.
const QUIET: &str = "kube_client::client::builder=off";

/// Logs to stderr from now on, panics included.
pub(super) fn install(format: LogFormat, directives: &str) -> anyhow::Result<()> {
    let ansi = io::stderr().is_terminal();
    set(subscriber(format, filter(directives)?, io::stderr, ansi))
}

/// Logs for people to this writer from now on, panics included.
#[cfg(feature = "dev")]
pub(super) fn install_on<W>(writer: W, ansi: bool, directives: &str) -> anyhow::Result<()>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    set(subscriber(LogFormat::Text, filter(directives)?, writer, ansi))
}

fn set(subscriber: Box<dyn Subscriber + Send + Sync>) -> anyhow::Result<()> {
    tracing::subscriber::set_global_default(subscriber)
        .context("the program has set up logging already; let `App` do it")?;
    panics::log();
    Ok(())
}

/// A filter in the syntax of `RUST_LOG`: a level, and levels per target.
pub(super) fn filter(directives: &str) -> Result<EnvFilter, ParseError> {
    EnvFilter::builder().parse(format!("{QUIET},{directives}"))
}

fn subscriber<W>(format: LogFormat, filter: EnvFilter, writer: W, ansi: bool) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = fmt::layer().with_writer(writer);
    let lines = match format {
        LogFormat::Text => lines.with_ansi(ansi).boxed(),
        LogFormat::Json => lines
            .with_ansi(false)
            .fmt_fields(JsonFields::new())
            .event_format(Json)
            .boxed(),
    };
    Box::new(Registry::default().with(lines).with(filter).with(without_bodies()))
}

fn without_bodies() -> FilterFn {
    filter_fn(|meta: &Metadata<'_>| !NEVER.contains(&meta.target()))
}

#[cfg(test)]
mod tests;
