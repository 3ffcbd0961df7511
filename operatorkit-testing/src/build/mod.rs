//! Where the control plane's programs come from: `KUBEBUILDER_ASSETS`, or built once with Go into a cache.

mod go;
mod lock;

use std::{
    env,
    fmt::{self, Write as _},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};

use self::{go::Go, lock::Lock};
use crate::{
    console::{self, Say},
    supervisor::Keeper,
};

/// The programs that a control plane needs.
const PROGRAMS: [&str; 4] = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"];

const GO_MOD: &str = include_str!("../../control-plane/go.mod");
const GO_SUM: &str = include_str!("../../control-plane/go.sum");

/// Why there are no programs on this machine: the one case in which a test may be skipped.
#[derive(Debug)]
pub(crate) struct NoTools(String);

impl fmt::Display for NoTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoTools {}

/// The folder with [`PROGRAMS`]; builds them if need be, which takes minutes the first time. Fails with [`NoTools`] if there is
/// neither such a folder nor a Go to build it.
pub(crate) fn programs() -> Result<PathBuf> {
    if let Some(dir) = env::var_os("KUBEBUILDER_ASSETS").filter(|dir| !dir.is_empty()) {
        let dir = PathBuf::from(dir);
        let missing = missing(&dir);
        if !missing.is_empty() {
            bail!(
                "KUBEBUILDER_ASSETS={} has no {}: name a folder that has {}, or unset it to build them with Go",
                dir.display(),
                missing.join(", "),
                PROGRAMS.join(", "),
            );
        }
        // The servers run in a folder of their own.
        return fs::canonicalize(&dir).with_context(|| format!("KUBEBUILDER_ASSETS={}", dir.display()));
    }
    Cache {
        folder: cache()?,
        go: Go::in_path(),
        say: console::say,
    }
    .programs()
}

/// Where builds are kept, and what makes them.
struct Cache {
    folder: PathBuf,
    go: Go,
    say: Say,
}

impl Cache {
    /// The folder with the programs of our go.mod, built by whichever process comes first.
    fn programs(&self) -> Result<PathBuf> {
        let key = key();
        let bin = self.folder.join(&key);
        if missing(&bin).is_empty() {
            return Ok(bin);
        }
        self.go.check()?;
        fs::create_dir_all(&self.folder).with_context(|| format!("make the cache {}", self.folder.display()))?;
        let _lock = Lock::take(&self.folder.join(format!("{key}.lock")), self.say)?;
        // Another process may have built them while this one waited.
        if missing(&bin).is_empty() {
            return Ok(bin);
        }
        self.build(&bin)?;
        Ok(bin)
    }

    /// Builds in a folder beside `bin` and renames it, so that `bin` is complete or absent.
    fn build(&self, bin: &Path) -> Result<()> {
        let work = tempfile::Builder::new()
            .prefix("build-")
            .tempdir_in(&self.folder)
            .context("make a folder to build in")?;
        let at = work.path();
        // Also when this process is killed meanwhile.
        let _keeper = Keeper::of(at)?;
        fs::write(at.join("go.mod"), GO_MOD)?;
        fs::write(at.join("go.sum"), GO_SUM)?;
        // go writes several programs only into a folder that is there.
        fs::create_dir(at.join("bin"))?;
        self.go
            .build(at, &at.join("bin"), version("k8s.io/kubernetes")?, bin, self.say)?;
        // etcd's package is named `server`.
        fs::rename(at.join("bin/server"), at.join("bin/etcd")).context("find the etcd that was built")?;
        if bin.exists() {
            // Somebody removed single files from a finished cache.
            fs::remove_dir_all(bin)?;
        }
        fs::rename(at.join("bin"), bin).with_context(|| format!("keep what was built as {}", bin.display()))?;
        (self.say)(&format!("built the control plane into {}", bin.display()));
        Ok(())
    }
}

/// The version of a module in our go.mod.
fn version(module: &str) -> Result<&'static str> {
    GO_MOD
        .lines()
        .find_map(|line| line.trim().strip_prefix(module)?.strip_prefix(" v"))
        .and_then(|rest| rest.split_whitespace().next())
        .with_context(|| format!("control-plane/go.mod does not require {module}"))
}

fn missing(dir: &Path) -> Vec<&'static str> {
    PROGRAMS
        .into_iter()
        .filter(|program| !dir.join(program).is_file())
        .collect()
}

/// `$OPERATORKIT_CACHE`, else `$XDG_CACHE_HOME/operatorkit`, else `~/.cache/operatorkit`.
fn cache() -> Result<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("OPERATORKIT_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("operatorkit")))
        .or_else(|| Some(set("HOME")?.join(".cache/operatorkit")))
        .context("no folder to keep the control plane in: set OPERATORKIT_CACHE")?;
    std::path::absolute(&cache).with_context(|| format!("the cache {}", cache.display()))
}

/// The folder's name: other modules or another target are another build.
fn key() -> String {
    let mut hash = Sha256::new();
    for part in [GO_MOD, GO_SUM, env::consts::OS, env::consts::ARCH] {
        hash.update(part);
        hash.update([0]);
    }
    let mut name = "control-plane-".to_owned();
    for byte in &hash.finalize()[..8] {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests;
