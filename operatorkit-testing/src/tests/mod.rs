//! Tests on the servers, which they share, a namespace each.

mod audit;
mod cleanup;
mod cluster;
mod embedded;
mod kubelet;
mod process;
mod skip;
mod valid;

use std::{env, path::Path, process::Command};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::ObjectMeta;

use crate::{Cluster, ControlPlane, EmbeddedServer};

/// The embedded server, and the real one if it can be had.
fn servers() -> Vec<&'static Cluster> {
    let real = ControlPlane::shared().map(|cluster| &**cluster);
    [&**EmbeddedServer::shared()].into_iter().chain(real).collect()
}

fn config_map(name: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.into()),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    }
}

/// This test binary again, with one test of it.
fn this_binary(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--test-threads=1"]);
    command
}

/// The command lines of the running processes that mention `path`.
fn processes_at(path: &Path) -> Vec<String> {
    let path = path.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        // Those that end meanwhile cannot be read; a zombie's is empty.
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(path))
        .collect()
}
