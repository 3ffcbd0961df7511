//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// A Kubernetes API server in memory.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Arguments {
    /// The port on 127.0.0.1; 0 is a free one.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Serve HTTP, without TLS.
    #[arg(long)]
    pub plain: bool,
    /// Write a kubeconfig of an administrator to this file; without it, it is printed.
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Keep the objects in this file between runs.
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Which controllers run.
    #[arg(long, value_enum, default_value_t = Controllers::Gc)]
    pub controllers: Controllers,
    /// Enforce RBAC.
    #[arg(long)]
    pub rbac: bool,
    /// What is logged: a level, or directives as `operatorkit_apiserver=debug,info`.
    #[arg(long, default_value = "info")]
    pub log: String,
}

/// Which controllers run beside the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Controllers {
    /// None: nothing happens but what is asked for.
    None,
    /// The garbage collector, and the one that empties namespaces.
    #[default]
    Gc,
    /// Those of workloads, too, with a stand-in for the kubelet.
    All,
}
