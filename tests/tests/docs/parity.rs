//! `docs/parity.md`: each line of its tables names tests, and each of them exists.

use std::collections::BTreeSet;

use crate::table::{document, lines, wrong};

#[test]
fn every_line_names_tests_that_exist() {
    let (folder, document) = document("parity.md");
    assert_eq!(wrong(&folder, &document), Vec::<String>::new());
}

#[test]
fn no_line_is_left_out() {
    let (_, document) = document("parity.md");
    let lines = lines(&document);
    let subjects: BTreeSet<_> = lines.iter().map(|line| line.subject.as_str()).collect();
    assert_eq!(subjects.len(), lines.len(), "each line stands once");
    // The numbers of the traps: those that are not there are no traps of Go operatorkit's that touch us.
    let traps = (1..=29).filter(|number| ![4, 15, 24].contains(number));
    let traps = traps.map(|number| format!("T{number}"));
    let passes = [
        "all ok",
        "one resource cancels itself",
        "keep finalizers",
        "reconciliation cancelled",
        "error",
        "paused",
        "finalizer absent",
    ];
    let integration = [
        "basic",
        "control flow",
        "error",
        "event",
        "finalizer",
        "parallel",
        "pause",
        "reconciliation",
        "status update",
    ];
    let all = traps
        .chain(passes.map(|it| format!("deletion, {it}")))
        .chain(integration.map(|it| format!("*{it}*")));
    let left_out: Vec<_> = all.filter(|subject| !subjects.contains(subject.as_str())).collect();
    assert_eq!(left_out, Vec::<String>::new());
}
