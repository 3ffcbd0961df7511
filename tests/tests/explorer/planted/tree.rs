//! A copy of the workspace in which all faults are planted, and what its explorer says of one of them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::patch::{self, Files};

/// Says which fault is switched on: `tests/planted/switch.patch` has what reads it.
pub(super) const SWITCH: &str = "OPERATORKIT_PLANTED";
/// The faults' diffs.
const DIFFS: &str = "tests/planted";

/// The copy.
pub(super) struct Tree(PathBuf);

impl Tree {
    /// Plants all of these.
    ///
    /// # Panics
    /// With what to do, if one of them has no place any more.
    pub(super) fn plant(faults: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = Files::new();
        read(&root, &root, &mut files);
        for name in ["switch"].iter().chain(faults) {
            let path = format!("{DIFFS}/{name}.patch");
            let diff = files.get(&path).unwrap_or_else(|| panic!("{path} is missing")).clone();
            if let Err(why) = patch::apply(&String::from_utf8_lossy(&diff), &mut files) {
                panic!("{path} does not apply any more: {why}\nCONTRIBUTING.md says how the fault is planted anew");
            }
        }
        set_apart(&mut files);
        let tree = Self(target().join("planted/tree"));
        tree.write(&files);
        tree
    }

    /// Compiles the copy's explorer.
    ///
    /// # Panics
    /// If it does not compile.
    pub(super) fn build(&self) {
        let (built, said) = self.cargo("", &["--no-run"]);
        assert!(built, "the copy with the faults does not compile:\n{said}");
    }

    /// What the test says in the copy, with one fault, or with none (an empty name).
    pub(super) fn run(&self, fault: &str, test: &str) -> (bool, String) {
        self.cargo(fault, &["--", "--exact", "--nocapture", test])
    }

    /// What is compiled goes to what is compiled of the workspace itself, so that all that comes from the registry is there already: with
    /// the same packages, for the same features.
    fn cargo(&self, fault: &str, arguments: &[&str]) -> (bool, String) {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // What cargo tells of this package; build scripts look at it, and would run again, here and at the next build of the workspace.
        for (key, _) in env::vars_os() {
            let of_this_package = |key: &str| key.starts_with("CARGO_PKG_") || key.starts_with("CARGO_MANIFEST_");
            if key.to_str().is_some_and(of_this_package) {
                cargo.env_remove(key);
            }
        }
        let done = cargo
            .args(["test", "--offline", "--workspace", "--test", "explorer"])
            .args(arguments)
            .current_dir(&self.0)
            .env("CARGO_BUILD_BUILD_DIR", target())
            .env("CARGO_TARGET_DIR", target().join("planted/out"))
            .env(SWITCH, fault)
            .stdin(Stdio::null())
            .output()
            .expect("cargo runs");
        let said = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (done.status.success(), said.concat())
    }

    /// Brings the folder to these files. What is the same is not written, so that it is not compiled again.
    fn write(&self, files: &Files) {
        let mut there = Files::new();
        read(&self.0, &self.0, &mut there);
        for path in there.keys().filter(|path| !files.contains_key(*path)) {
            fs::remove_file(self.0.join(path)).expect("the copy is ours");
        }
        for (path, content) in files.iter().filter(|(path, content)| there.get(*path) != Some(content)) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().expect("it is in the copy")).expect("the copy is ours");
            fs::write(path, content).expect("the copy is ours");
        }
    }
}

/// Where what is compiled goes.
fn target() -> PathBuf {
    let of_tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    of_tests
        .parent()
        .expect("cargo makes it in its target folder")
        .to_owned()
}

/// Reads all files in a folder but what git and cargo make at the root; none, if there is no folder.
fn read(root: &Path, folder: &Path, files: &mut Files) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        let name = path
            .strip_prefix(root)
            .expect("it is in there")
            .to_string_lossy()
            .into_owned();
        if [".git", "target"].contains(&&*name) {
            continue;
        }
        if path.is_dir() {
            read(root, &path, files);
        } else if let Ok(content) = fs::read(&path) {
            files.insert(name, content);
        }
    }
}

/// Gives the copy's packages a version of their own: cargo would take them for those of the workspace.
fn set_apart(files: &mut Files) {
    let manifest = files.get_mut("Cargo.toml").expect("the workspace has a manifest");
    let version = concat!("version = \"", env!("CARGO_PKG_VERSION"));
    let text = String::from_utf8_lossy(manifest).replacen(version, &format!("{version}+planted"), 1);
    *manifest = text.into_bytes();
}
