//! Unified diffs, as far as faults need them: a hunk is found by its text alone, wherever it has moved to, and must be there once.
//!
//! Neither `patch` nor `git` has to be there, and what a tool takes for near enough is not taken here: a fault that is planted beside its
//! place would not be found for the wrong reason.

use std::collections::BTreeMap;

/// Files by their path from the root of the workspace.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Applies a diff.
///
/// # Errors
/// Why it does not apply: its first hunk whose text is not there, or is there twice.
pub(super) fn apply(diff: &str, files: &mut Files) -> Result<(), String> {
    let mut path = None;
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(file) = line.strip_prefix("+++ b/") {
            path = Some(file);
        } else if line.starts_with("@@") {
            let path = path.ok_or("a hunk stands before the name of its file")?;
            let [mut before, mut after] = [String::new(), String::new()];
            while let Some(line) = lines.next_if(|line| line.starts_with([' ', '-', '+']) && !line.starts_with("--- "))
            {
                let (sign, text) = line.split_at(1);
                let sides = [(sign != "+", &mut before), (sign != "-", &mut after)];
                for (_, side) in sides.into_iter().filter(|(has, _)| *has) {
                    side.push_str(text);
                    side.push('\n');
                }
            }
            replace(files, path, &before, &after)?;
        }
    }
    Ok(())
}

fn replace(files: &mut Files, path: &str, before: &str, after: &str) -> Result<(), String> {
    if before.is_empty() {
        files.insert(path.to_owned(), after.as_bytes().to_vec());
        return Ok(());
    }
    let file = files.get_mut(path).ok_or_else(|| format!("there is no file {path}"))?;
    let text = String::from_utf8_lossy(file).replace("\r\n", "\n");
    let times = text.matches(before).count();
    if times != 1 {
        return Err(format!("{path} has this {times} times, not once:\n{before}"));
    }
    *file = text.replacen(before, after, 1).into_bytes();
    Ok(())
}

#[test]
fn a_hunk_is_found_where_it_has_moved_to_and_nowhere_else() {
    let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n";
    let files = |text: &str| Files::from([("x".to_owned(), text.as_bytes().to_vec())]);
    let mut moved = files("zero\none\ntwo\n");
    assert_eq!(apply(diff, &mut moved), Ok(()));
    assert_eq!(moved["x"], b"zero\none\nthree\n");
    assert_eq!(moved["y"], b"new\n");
    for elsewhere in ["one\n2\n", "one\ntwo\none\ntwo\n"] {
        let why = apply(diff, &mut files(elsewhere)).expect_err("it must not apply");
        assert!(why.starts_with("x has this "), "{why}");
    }
}
