//! What can be said on the command line of `dev`.

use std::{path::PathBuf, time::Duration};

use super::{super::cli, screen::Screen};

/// How long a write takes on a terminal: long enough to see one after the other.
const PACE: Duration = Duration::from_millis(250);

#[derive(Debug, clap::Args)]
pub(in crate::app) struct DevArgs {
    /// End by itself: delete the objects once they are ready, and fail if that takes longer than `--timeout`
    #[arg(long)]
    pub(super) once: bool,

    /// Make the objects of this YAML file instead of the program's samples; may be repeated
    #[arg(long = "file", short, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// How long `--once` may take, in either direction
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = cli::positive)]
    pub(super) timeout: Duration,

    /// How long each write of the operators takes, so that their order can be seen [default: 250ms on a terminal, else 0s]
    #[arg(long, value_name = "DURATION", value_parser = cli::duration)]
    pace: Option<Duration>,

    /// What is logged: a level, or directives such as `warn,operatorkit_runtime=debug`
    #[arg(long, value_name = "FILTER", default_value = "warn", value_parser = cli::log_filter)]
    pub(super) log_level: String,
}

impl DevArgs {
    /// How long a write takes.
    pub(super) fn pace(&self, screen: &Screen) -> Duration {
        let usual = if screen.is_terminal() { PACE } else { Duration::ZERO };
        self.pace.unwrap_or(usual)
    }
}
