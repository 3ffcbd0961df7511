//! Wrong attributes, and what the compiler says about them: `ui/*.rs` with `ui/*.stderr`.
//!
//! Compilers word and place their own parts differently, so the texts are compared in full on the `rust-version` of the workspace only. On
//! another compiler each of our own sentences must be there. Which sentences those are, the stored texts tell.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The stored cases, below this crate.
const CASES: &str = "tests/ui";
/// Names a folder whose cases are compiled and get new texts; a nested run of the test.
const NEW_TEXTS: &str = "OPERATORKIT_UI_CASES";

#[test]
fn wrong_attributes_name_the_remedy() {
    let cases = env::var(NEW_TEXTS).unwrap_or_else(|_| CASES.to_owned());
    if cases == CASES && !compiler().contains(&format!(" {}.", env!("CARGO_PKG_RUST_VERSION"))) {
        our_sentences_are_there();
    } else {
        trybuild::TestCases::new().compile_fail(format!("{cases}/*.rs"));
    }
}

/// What `rustc --version` says.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc runs, since it has just compiled this");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compiles a copy of the cases with this compiler, and looks for the sentences of the stored texts in the new ones.
fn our_sentences_are_there() {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    let stored = copy_cases(&copy);
    let nested = Command::new(env::current_exe().expect("a test has a path"))
        .args(["--exact", "ui::wrong_attributes_name_the_remedy", "--nocapture"])
        .env(NEW_TEXTS, &copy)
        .env("TRYBUILD", "overwrite")
        .output()
        .expect("a test can run itself");
    for text in stored {
        let new = copy.join(text.file_name().expect("a file"));
        let (said, says) = (read(&text), fs::read_to_string(&new).unwrap_or_default());
        for sentence in sentences(&said) {
            assert!(
                says.contains(sentence),
                "{} does not say {sentence:?} on {}:\n{says}\n{}",
                text.display(),
                compiler().trim(),
                String::from_utf8_lossy(&nested.stderr),
            );
        }
    }
}

/// Copies the sources, and what they include. The answer: the stored texts.
fn copy_cases(to: &Path) -> Vec<PathBuf> {
    let _ = fs::remove_dir_all(to);
    let mut stored = Vec::new();
    for folder in ["", "setup", "yaml"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES).join(folder);
        fs::create_dir_all(to.join(folder)).expect("the folder for tests can be written");
        for file in fs::read_dir(from).expect("the cases are there") {
            let file = file.expect("the cases can be listed").path();
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("rs" | "yaml") => {
                    let copy = to.join(folder).join(file.file_name().expect("a file"));
                    let _ = fs::copy(&file, copy).expect("a case can be copied");
                }
                Some("stderr") => stored.push(file),
                _ => {}
            }
        }
    }
    assert!(!stored.is_empty(), "there are no stored texts in {CASES}");
    stored
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Ours in a text: `error: ..`, what a constant panicked with, and what a trait says of a type that does not implement it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let heads = ["error: ", "error[E0080]: evaluation panicked: ", "error[E0277]: "];
    text.lines()
        .filter_map(move |line| heads.iter().find_map(|head| line.strip_prefix(head)))
        .filter(|sentence| !sentence.ends_with("is not a future"))
}
