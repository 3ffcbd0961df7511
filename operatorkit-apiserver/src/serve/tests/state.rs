//! The file between runs.

use std::fs;

use crate::serve::state::{Entry, State};

fn state() -> State {
    let entry = |table: &str, version, object: &'static str| Entry {
        table: table.into(),
        version,
        object: object.into(),
    };
    State {
        version: 42,
        secrets: [("key".to_owned(), "a\nb".to_owned())].into(),
        objects: vec![
            entry("/pods", 17, r#"{"kind":"Pod","metadata":{"name":"a"}}"#),
            entry("apps/deployments", 3, r#"{"metadata":{"name":"ü\n"}}"#),
        ],
    }
}

#[test]
fn what_was_written_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    assert_eq!(State::read(&path).unwrap(), None);
    state().write(&path).unwrap();
    assert_eq!(State::read(&path).unwrap(), Some(state()));
    State::default().write(&path).unwrap();
    assert_eq!(State::read(&path).unwrap(), Some(State::default()));
}

#[test]
fn a_damaged_file_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    state().write(&path).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        State::read(&path).unwrap_err().to_string()
    };
    assert_eq!(refused(""), "is damaged in line 1: the file is empty");
    assert_eq!(
        refused("{}\n"),
        "is damaged in line 1: this is no file of operatorkit-apiserver"
    );
    let lines: Vec<_> = whole.lines().collect();
    assert_eq!(
        refused(&lines[..2].join("\n")),
        "is damaged in line 3: the end is missing"
    );
    let changed = whole.replace("17", "18");
    assert_eq!(
        refused(&changed),
        "is damaged in line 4: the lines before are not those that were written"
    );
    let without = [lines[0], lines[1], lines[3], ""].join("\n");
    assert_eq!(
        refused(&without),
        "is damaged in line 3: the lines before are not those that were written"
    );
    assert!(refused(&whole[..whole.len() - 10]).starts_with("is damaged in line 4: EOF"));
    assert!(refused("\u{0}\u{1}").starts_with("is damaged in line 1: expected value"));
    assert_eq!(
        refused(&format!("{whole}{{}}\n")),
        "is damaged in line 5: nothing may follow the end"
    );
    let newer = whole.replace("\"version\":1", "\"version\":2");
    assert!(refused(&newer).contains("it is written in version 2 of the format"));
}
