//! The `go` command: is there one, and the build.

use std::{
    env, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};

use super::NoTools;
use crate::{
    console::{Progress, Say},
    supervisor::Supervised,
};

const PACKAGES: [&str; 4] = [
    "go.etcd.io/etcd/server/v3",
    "k8s.io/kubernetes/cmd/kube-apiserver",
    "k8s.io/kubernetes/cmd/kube-controller-manager",
    "k8s.io/kubernetes/cmd/kubectl",
];

const REMEDY: &str = "install Go 1.26 (from 1.21 on, Go fetches 1.26 by itself) from https://go.dev/dl or as your \
                      distribution's package `golang` or `go`, or set KUBEBUILDER_ASSETS to a folder with etcd, \
                      kube-apiserver, kube-controller-manager and kubectl";

/// A `go` command.
#[derive(Clone, Debug)]
pub(super) struct Go {
    program: PathBuf,
}

impl Go {
    /// The one in `PATH`.
    pub(super) fn in_path() -> Self {
        Self::at("go")
    }

    pub(super) fn at(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
        }
    }

    /// Fails with [`NoTools`] if there is no Go that can build the control plane.
    pub(super) fn check(&self) -> Result<()> {
        // Local: this only asks, it must not fetch anything; and no go.mod around us counts.
        let said = Command::new(&self.program)
            .arg("version")
            .env("GOTOOLCHAIN", "local")
            .current_dir(env::temp_dir())
            .stdin(Stdio::null())
            .output();
        let said = match said {
            Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                bail!(NoTools(format!("there is no `go` in PATH: {REMEDY}")))
            }
            Err(error) => bail!(NoTools(format!("`go version` does not run ({error}): {REMEDY}"))),
        };
        match release(&said) {
            Some(release) if release >= (1, 21) => Ok(()),
            Some((major, minor)) => bail!(NoTools(format!(
                "the `go` in PATH is {major}.{minor}, which is too old: {REMEDY}"
            ))),
            None => bail!(NoTools(format!(
                "`go version` answers {:?}, not a Go release: {REMEDY}",
                said.trim()
            ))),
        }
    }

    /// Builds [`PACKAGES`] of the module in `module` into `out`; `kept` is only shown, to `say`. `version` is Kubernetes', without `v`.
    pub(super) fn build(&self, module: &Path, out: &Path, version: &str, kept: &Path, say: Say) -> Result<()> {
        let mut go = Command::new(&self.program);
        go.args(["build", "-trimpath", "-ldflags", &stamp(version), "-o"])
            .arg(out)
            .args(PACKAGES)
            .current_dir(module);
        // A workspace around the cache is not ours.
        go.env("GOWORK", "off");
        let log = module.join("go.log");
        let mut running = Supervised::spawn(&go, &log)?;
        let what = format!(
            "building etcd, kube-apiserver, kube-controller-manager and kubectl {version} with Go: once, then kept in {} \
             (about 7 minutes on two cores, 100 MB of download, 4 GB in Go's own caches)",
            kept.display(),
        );
        let mut progress = Progress::new(what, say);
        let status = loop {
            progress.tick();
            if let Some(status) = running.exited()? {
                break status;
            }
            thread::sleep(Duration::from_millis(100));
        };
        if status.success() {
            return Ok(());
        }
        let log = fs::read_to_string(&log).context("read what go said")?;
        let lines: Vec<_> = log
            .lines()
            .filter(|line| !line.starts_with("go: downloading"))
            .collect();
        bail!(
            "go could not build the control plane ({status}):\n{}",
            lines[lines.len().saturating_sub(40)..].join("\n")
        );
    }
}

/// The linker flags that stamp the version: without it kubectl cannot parse the versions of the others.
fn stamp(version: &str) -> String {
    let package = "k8s.io/component-base/version";
    let mut parts = version.split('.');
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("-s -w -X {package}.gitVersion=v{version} -X {package}.gitMajor={major} -X {package}.gitMinor={minor}")
}

/// Major and minor of what `go version` prints.
fn release(said: &str) -> Option<(u32, u32)> {
    let mut parts = said
        .split_whitespace()
        .find_map(|word| word.strip_prefix("go1.").map(|_| &word[2..]))?
        .split('.');
    let major = parts.next()?.parse().ok()?;
    // `go1.27rc1`, `go1.26-custom`.
    let minor: String = parts.next()?.chars().take_while(char::is_ascii_digit).collect();
    Some((major, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read() {
        assert_eq!(release("go version go1.26.8 linux/amd64\n"), Some((1, 26)));
        assert_eq!(release("go version go1.27rc1 darwin/arm64"), Some((1, 27)));
        assert_eq!(release("go version go1.9 linux/amd64"), Some((1, 9)));
        assert_eq!(release("go version devel +abc linux/amd64"), None);
        assert!((1, 9) < (1, 21));
    }

    #[test]
    fn the_stamp_names_major_and_minor() {
        let stamp = stamp("1.37.2");
        assert!(
            stamp.contains("gitVersion=v1.37.2") && stamp.contains("gitMajor=1") && stamp.ends_with("gitMinor=37"),
            "{stamp}"
        );
    }
}
