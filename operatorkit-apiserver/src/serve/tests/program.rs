//! The program, around a core that counts.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use clap::Parser;
use serde_json::Value;
use tokio::sync::oneshot;

use super::echo::{Echo, EchoBody};
use crate::serve::{
    program::{Arguments, Core, Settings, run},
    state::State,
};

struct Counter(Arc<AtomicU64>);

impl Core for Counter {
    type Service = Echo;
    type Body = EchoBody;

    async fn start(settings: Settings) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let version = settings.state.map_or(1, |it| it.version);
        Ok(Self(Arc::new(version.into())))
    }

    fn service(&self) -> Echo {
        Echo
    }

    fn version(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn state(&self) -> State {
        State {
            version: self.version(),
            ..State::default()
        }
    }

    async fn stop(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn arguments(folder: &Path, more: &[&str]) -> Arguments {
    let path = |name: &str| folder.join(name).display().to_string();
    let first = ["operatorkit-apiserver".to_owned()];
    let files = [
        "--state".to_owned(),
        path("state"),
        "--kubeconfig".to_owned(),
        path("config"),
    ];
    let more = more.iter().map(ToString::to_string);
    Arguments::try_parse_from(first.into_iter().chain(files).chain(more)).unwrap()
}

async fn once(folder: &Path, more: &[&str]) -> Result<Value, String> {
    let (stop, stopped) = oneshot::channel::<()>();
    let arguments = arguments(folder, more);
    let served = run::<Counter>(&arguments, async { _ = stopped.await }, |serving| {
        assert!(serving.url().contains("://127.0.0.1:"));
        stop.send(()).unwrap();
    });
    served.await.map_err(|it| it.to_string())?;
    let config = std::fs::read_to_string(folder.join("config")).unwrap();
    Ok(serde_saphyr::from_str(&config).unwrap())
}

#[tokio::test]
async fn the_next_run_goes_on_with_the_same_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let first = once(folder.path(), &[]).await.unwrap();
    let second = once(folder.path(), &["--controllers", "all", "--rbac"]).await.unwrap();
    assert_eq!(first["users"], second["users"]);
    let authority = "/clusters/0/cluster/certificate-authority-data";
    assert_eq!(first.pointer(authority), second.pointer(authority));
    assert_eq!(State::read(&folder.path().join("state")).unwrap().unwrap().version, 3);
}

#[tokio::test]
async fn a_damaged_state_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    std::fs::write(&path, "garbage\n").unwrap();
    let error = once(folder.path(), &[]).await.unwrap_err();
    assert!(
        error.starts_with(&format!(
            "the state file {} is damaged in line 1: expected value",
            path.display()
        )),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "garbage\n");
}

#[tokio::test]
async fn a_taken_port_is_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let error = once(folder.path(), &["--port", &port]).await.unwrap_err();
    assert!(
        error.starts_with(&format!("127.0.0.1:{port} cannot be served: ")),
        "{error}"
    );
}
