//! Nothing stays behind, whatever happens to the process.

use std::{env, fs, net::TcpStream, path::PathBuf, thread};

use anyhow::{Context as _, Result, ensure};

use super::{processes_at, this_binary};
use crate::{ControlPlane, Options, PATIENCE, wait_for};

/// Set for a child that is to be killed: the file in which it says where its control plane is.
const TELL: &str = "OPERATORKIT_TESTING_TELL";

fn small() -> Options {
    Options::default()
        .without_controllers()
        .without_audit()
        .without_kubelet()
}

#[test]
fn an_owned_control_plane_ends_with_its_owner() -> Result<()> {
    // Beside the shared one, if that can be had; the child has no need of another.
    if env::var_os(TELL).is_none() && ControlPlane::shared().is_none() {
        return Ok(());
    }
    let cluster = ControlPlane::start(&small())?;
    let (folder, port) = (cluster.folder().to_owned(), cluster.port());
    if let Some(tell) = env::var_os(TELL) {
        fs::write(tell, format!("{port} {}\n", folder.display()))?;
        loop {
            thread::park();
        }
    }
    assert!(processes_at(&folder).len() >= 2, "{:?}", processes_at(&folder));
    drop(cluster);
    assert!(!folder.exists());
    assert_eq!(processes_at(&folder), Vec::<String>::new());
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    Ok(())
}

#[tokio::test]
async fn a_killed_test_leaves_no_server_and_no_folder() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let tell = tempfile::NamedTempFile::new()?;
    let mut command = this_binary("tests::cleanup::an_owned_control_plane_ends_with_its_owner");
    command.env(TELL, tell.path()).env("KUBEBUILDER_ASSETS", cluster.bin());
    let mut child = cluster.spawn(&command)?;
    let (port, folder) = wait_for("the child has a control plane", PATIENCE * 2, async || {
        let text = fs::read_to_string(tell.path())?;
        let line = text
            .strip_suffix('\n')
            .with_context(|| format!("its log: {}", child.log()))?;
        let (port, folder) = line.split_once(' ').context("a port and a folder")?;
        Ok((port.parse::<u16>()?, PathBuf::from(folder)))
    })
    .await;
    assert!(folder.exists());
    TcpStream::connect(("127.0.0.1", port))?;

    child.kill();
    wait_for("servers and folder are gone", PATIENCE, async || {
        let processes = processes_at(&folder);
        ensure!(processes.is_empty(), "{processes:?}");
        ensure!(!folder.exists(), "{} exists", folder.display());
        Ok(())
    })
    .await;
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    Ok(())
}
