//! The build, with a stand-in for `go` that counts.

use std::{fs, path::Path, process::Command, thread};

use super::*;

/// Answers like a `go` of this version; "builds" by noting it in the file `built` and making empty programs.
fn fake_go(folder: &Path, version: &str) -> Go {
    fake_go_that(folder, version, ":")
}

/// The same, with a shell command before the programs are made.
fn fake_go_that(folder: &Path, version: &str, command: &str) -> Go {
    let script = format!(
        r#"#!/bin/sh
if [ "$1" = version ]; then echo "go version {version} linux/amd64"; exit; fi
echo built >>'{built}'
{command}
while [ "$1" != -o ]; do shift; done
cd "$2" || exit 1; for program in server kube-apiserver kube-controller-manager kubectl; do : >"$program"; done
"#,
        built = folder.join("built").display(),
    );
    let go = folder.join("go");
    // Written by another process: a file that we have open for writing cannot be run by a fork of another test's thread.
    let write = "printf %s \"$1\" >\"$2\" && chmod +x \"$2\"";
    assert!(
        Command::new("sh")
            .args(["-c", write, "sh", &script])
            .arg(&go)
            .status()
            .unwrap()
            .success()
    );
    Go::at(go)
}

/// What it says is captured by the harness.
fn built(cache: &Path, go: &Go) -> Result<PathBuf> {
    Cache {
        folder: cache.to_owned(),
        go: go.clone(),
        say: |line| println!("{line}"),
    }
    .programs()
}

#[test]
fn many_at_once_build_once() {
    let folder = tempfile::tempdir().unwrap();
    let go = fake_go(folder.path(), "go1.26.0");
    let cache = folder.path().join("cache");
    let bins: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(|| built(&cache, &go).unwrap())).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        bins.iter().all(|bin| missing(bin).is_empty() && bin == &bins[0]),
        "{bins:?}"
    );
    assert_eq!(fs::read_to_string(folder.path().join("built")).unwrap(), "built\n");
    // Only what is kept and its lock stay behind.
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 2);
}

#[test]
fn an_incomplete_cache_is_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let go = fake_go(folder.path(), "go1.21.3");
    let bin = built(folder.path(), &go).unwrap();
    fs::remove_file(bin.join("kubectl")).unwrap();
    assert_eq!(built(folder.path(), &go).unwrap(), bin);
    assert!(missing(&bin).is_empty());
}

#[test]
fn an_old_or_absent_go_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    for (go, what) in [
        (fake_go(folder.path(), "go1.20.14"), "1.20, which is too old"),
        (Go::at(folder.path().join("nothing")), "there is no `go`"),
    ] {
        let error = built(folder.path(), &go).unwrap_err();
        assert!(error.downcast_ref::<NoTools>().is_some(), "{error:#}");
        let text = error.to_string();
        assert!(
            text.contains(what) && text.contains("1.26") && text.contains("https://go.dev/dl"),
            "{text}"
        );
        assert!(!text.contains('\n'), "{text}");
    }
}

#[test]
fn what_go_says_is_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let go = fake_go_that(folder.path(), "go1.26.0", "echo 'no space left' >&2; exit 1");
    let error = format!("{:#}", built(folder.path(), &go).unwrap_err());
    assert!(
        error.contains("no space left") && error.contains("exit status: 1"),
        "{error}"
    );
}

#[test]
fn the_version_stamp_comes_from_go_mod() {
    let found = version("k8s.io/kubernetes").unwrap();
    assert!(found.starts_with("1."), "{found}");
    assert!(version("k8s.io/nothing").is_err());
}

#[test]
fn the_key_is_a_file_name() {
    assert!(
        key().bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'),
        "{}",
        key()
    );
}
