//! From the command line to the exit code.

use std::{ffi::OsString, mem, process::ExitCode, thread};

use anyhow::{Context as _, bail};
use tokio_util::sync::CancellationToken;
use tracing::info;

use super::{
    App,
    cli::{self, Command, LogFormat, RunArgs},
    client_args, crds,
    install::{self, CrdArgs},
    logging, manifests, panics, rbac,
    release::{self, ReleaseArgs},
    signals::Signals,
    yaml,
};
use crate::reporting::Reports;

/// More than this many worker threads only cost memory: a pass waits for the API server, not for a core.
const WORKERS: usize = 4;

pub(super) fn execute<A>(app: App, args: A) -> ExitCode
where
    A: IntoIterator<Item: Into<OsString> + Clone>,
{
    let name = app.name.clone();
    let cli = match cli::parse(&app, args) {
        Ok(cli) => cli,
        Err(err) => return wrong_usage(&err),
    };
    let (format, result) = match cli.command {
        Command::Crd(args) => (LogFormat::Text, crd(&app, &args)),
        Command::Manifests(args) => (LogFormat::Text, manifests::print(&app, &args)),
        Command::Rbac(args) => (LogFormat::Text, rbac::print(&app, &args)),
        Command::Release(args) => (LogFormat::Text, release(&app, &args)),
        #[cfg(feature = "dev")]
        Command::Dev(args) => (LogFormat::Text, super::dev::run(app, &args)),
        Command::Run(args) => (args.log_format, run(app, &args)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            report(&name, format, &err);
            ExitCode::FAILURE
        }
    }
}

/// Prints what clap has to say: help and version count as success, anything else as wrong usage.
fn wrong_usage(err: &clap::Error) -> ExitCode {
    // If nobody can read it there is nobody to tell.
    let _ = err.print();
    u8::try_from(err.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// One line on stderr, in JSON if the logs are.
fn report(app: &str, format: LogFormat, err: &anyhow::Error) {
    let line = one_line(err);
    match format {
        LogFormat::Text => eprintln!("{app}: {line}"),
        LogFormat::Json => tracing::error!("{line}"),
    }
}

/// The error and its causes. Many errors, kube's among them, name their cause themselves: nothing is said twice.
fn one_line(err: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in err.chain() {
        let cause = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if !line.contains(&cause) {
            line.push_str(if line.is_empty() { "" } else { ": " });
            line.push_str(&cause);
        }
    }
    line
}

fn crd(app: &App, args: &CrdArgs) -> anyhow::Result<()> {
    app.check()?;
    if args.install {
        return runtime()?.block_on(install::install(app, args));
    }
    yaml::print(&yaml::documents(&crds::printable(app, args.descriptions)?)?)
}

fn release(app: &App, args: &ReleaseArgs) -> anyhow::Result<()> {
    app.check()?;
    runtime()?.block_on(release::release(app, args))
}

fn run(mut app: App, args: &RunArgs) -> anyhow::Result<()> {
    logging::install(args.log_format, &args.log_level)?;
    let runtime = runtime()?;
    // What is wrong with it is told to the other reporters.
    #[cfg(feature = "sentry")]
    let ready = args.sentry.add_to(&mut app);
    #[cfg(not(feature = "sentry"))]
    let ready = Ok(());
    let reports = Reports::new(&app.name, mem::take(&mut app.reporters))?;
    let result = runtime.block_on(async {
        let result = match ready {
            Ok(()) => run_until_signalled(app, args, &reports).await,
            Err(err) => Err(err),
        };
        reports.end(result.as_ref().err()).await;
        result
    });
    // Whoever had to be waited for has been; a thread that a user's code blocks must not keep the process.
    runtime.shutdown_background();
    result
}

/// The runtime that operators run on.
pub(super) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(WORKERS);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .thread_name("operatorkit")
        .enable_all()
        .build()
        .context("cannot start the tokio runtime")
}

async fn run_until_signalled(app: App, args: &RunArgs, reports: &Reports) -> anyhow::Result<()> {
    let mut signals = Signals::listen().context("cannot listen for signals")?;
    let shutdown = CancellationToken::new();
    let settings = args.settings(app.resync);
    let (client, stopped, reports) = (args.client.clone(), shutdown.clone(), reports.clone());
    // A task of its own, so that code that blocks (such as a credential plugin) does not block the signals.
    let mut running = tokio::spawn(async move {
        app.check()?;
        let client = client_args::connect(&client, &app, settings.leader_election.as_ref()).await?;
        info!(app = app.name, namespaces = ?settings.namespaces, "starting");
        app.run_reporting(client, settings, stopped, reports).await
    });
    let signal = tokio::select! {
        ended = &mut running => return panics::flatten(ended),
        signal = signals.next() => signal,
    };
    info!("{signal}: stopping; a second signal stops at once");
    shutdown.cancel();
    tokio::select! {
        ended = &mut running => panics::flatten(ended),
        signal = signals.next() => bail!("{signal}, the second signal: stopped at once, running passes were dropped"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_that_says_nothing_twice() {
        let err = anyhow::anyhow!("refused\n  by peer")
            .context("connect: refused by peer")
            .context("cannot start");
        assert_eq!(one_line(&err), "cannot start: connect: refused by peer");
    }
}
