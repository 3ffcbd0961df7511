//! The command line: what can be said on it, and how it becomes settings.

use std::{ffi::OsString, time::Duration};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum, builder::RangedU64ValueParser};
use jiff::SignedDuration;

use super::{
    App, RunSettings, client_args::ClientArgs, install::CrdArgs, install_args::InstallArgs, leader_args::LeaderArgs,
    logging, manifests::ManifestsArgs, release::ReleaseArgs, serve,
};

/// Reads a command line, which does not begin with the program's name.
pub(super) fn parse<A>(app: &App, args: A) -> Result<Cli, clap::Error>
where
    A: IntoIterator<Item: Into<OsString> + Clone>,
{
    let kinds: Vec<_> = app.operators.iter().map(|operator| operator.kind()).collect();
    let operators: Vec<_> = app
        .operators
        .iter()
        .map(|operator| format!("  {}  for {}", operator.name(), operator.kind()))
        .collect();
    let operators = format!("Operators:\n{}", operators.join("\n"));
    let mut command = Cli::command()
        .no_binary_name(true)
        .bin_name(&app.name)
        .display_name(&app.name)
        .about(format!("{}: Kubernetes operator for {}", app.name, kinds.join(", ")))
        .after_help(operators.clone())
        .mut_subcommand("run", |run| run.after_help(operators.clone()))
        .mut_subcommand("release", |release| release.after_help(operators));
    if let Some(version) = app.version {
        command = command.version(version);
    }
    let mut matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|err| err.format(&mut command))
}

#[derive(Debug, Parser)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the operators until SIGTERM or SIGINT
    Run(Box<RunArgs>),
    /// Run the operators on a Kubernetes API server in this process, and show what they do; needs no cluster
    #[cfg(feature = "dev")]
    Dev(super::dev::DevArgs),
    /// Print the CRDs of own kinds as YAML, for `kubectl apply -f -`, or install them
    Crd(Box<CrdArgs>),
    /// Print a ServiceAccount with the least rights that `run` needs as YAML, for `kubectl apply -f -`
    Rbac(InstallArgs),
    /// Print all that installs the app as YAML, for `kubectl apply -f -`: namespace, CRDs, rights and a Deployment
    Manifests(ManifestsArgs),
    /// Give up all that the operators have made, and delete nothing: before the app is uninstalled, and after it was stopped
    Release(Box<ReleaseArgs>),
}

#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) client: ClientArgs,

    /// Reconcile the objects of this namespace only; may be repeated, and one without rights does not hold up the others [default: all namespaces]
    #[arg(long = "namespace", value_name = "NAMESPACE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    namespaces: Vec<String>,

    /// How many passes of one operator run at once
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    concurrency: usize,

    /// How long a quiet object waits for its next pass at most, such as `90s` or `1h 30m`; up to a fifth less, so that objects spread out [default: 5m, or what the program sets]
    #[arg(long, value_name = "DURATION", value_parser = positive)]
    resync: Option<Duration>,

    /// How long running passes may take to end after a signal
    #[arg(long, value_name = "DURATION", default_value = "25s", value_parser = duration)]
    shutdown_timeout: Duration,

    /// Where `/metrics` is served: `:PORT` for every address of the machine, `IP:PORT` for one, `0` for nowhere
    #[arg(long, value_name = "ADDRESS", default_value = ":8080", value_parser = serve::address)]
    metrics_address: serve::Address,

    /// Where `/healthz` and `/readyz` are served, in the same form
    #[arg(long, value_name = "ADDRESS", default_value = ":8081", value_parser = serve::address)]
    health_address: serve::Address,

    #[command(flatten)]
    leader: LeaderArgs,

    #[cfg(feature = "sentry")]
    #[command(flatten)]
    pub(super) sentry: super::sentry::SentryArgs,

    /// How logs are written to stderr
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(super) log_format: LogFormat,

    /// What is logged: a level, or directives such as `info,operatorkit_runtime=debug`
    #[arg(long, value_name = "FILTER", default_value = "info", value_parser = log_filter)]
    pub(super) log_level: String,
}

/// The form of the logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people.
    Text,
    /// An object per line.
    Json,
}

impl RunArgs {
    pub(super) fn settings(&self, resync: Duration) -> RunSettings {
        let mut namespaces = self.namespaces.clone();
        namespaces.sort_unstable();
        namespaces.dedup();
        RunSettings {
            namespaces,
            concurrency: self.concurrency,
            resync: self.resync.unwrap_or(resync),
            shutdown_timeout: self.shutdown_timeout,
            leader_election: self.leader.election(),
            metrics_address: self.metrics_address.0,
            health_address: self.health_address.0,
        }
    }
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let parsed: SignedDuration = text
        .parse()
        .map_err(|err| format!("{err}; durations are written like `90s` or `1h 30m`"))?;
    Duration::try_from(parsed).map_err(|_| "a duration cannot be negative".to_owned())
}

pub(super) fn positive(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("a duration of zero would never let an object rest".to_owned()),
        duration => Ok(duration),
    }
}

/// Kept as text, since a filter cannot be cloned.
pub(super) fn log_filter(text: &str) -> Result<String, String> {
    logging::filter(text)
        .map(|_| text.to_owned())
        .map_err(|err| err.to_string())
}
