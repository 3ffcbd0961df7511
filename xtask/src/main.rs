//! Tasks of the workspace: the data that `operatorkit-apiserver` is built with, read from a real server.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::{learn::Samples, server::Server};

mod extract;
mod learn;
mod server;

/// Where the data is, from the root of the workspace.
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../operatorkit-apiserver/data");

/// Tasks of the workspace.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Reads kinds, schemas and columns from a real server, and writes `data/kinds.json.gz`.
    Extract {
        /// Whom to ask; without it a control plane is started.
        #[arg(long)]
        kubeconfig: Option<PathBuf>,
        /// Also writes what was compressed, to be read by people.
        #[arg(long)]
        plain: Option<PathBuf>,
    },
    /// Compares the defaults that `operatorkit-apiserver` fills in with those of a control plane that it starts.
    CheckDefaults {
        #[command(flatten)]
        samples: Samples,
    },
    /// Learns from a control plane that it starts what the server does with values that are not given, and with empty ones, and
    /// writes `data/defaults.json`.
    Defaults {
        #[command(flatten)]
        samples: Samples,
        /// Also writes every object and its answer, one a line.
        #[arg(long)]
        record: Option<PathBuf>,
    },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Extract { kubeconfig, plain } => {
            let server = Server::open(kubeconfig.as_deref()).await?;
            extract::run(&server, plain.as_deref()).await
        }
        Task::CheckDefaults { samples } => learn::check(samples).await,
        Task::Defaults { samples, record } => learn::learn(samples, record.as_deref()).await,
    }
}
