//! `docs/failures.md`: each of its cases has a line, and each line names tests that exist.

use crate::table::{document, lines, wrong};

/// What a line has instead of tests as long as there are none.
const OWED: &str = "**owed**";

#[test]
fn every_line_names_tests_that_exist() {
    let (folder, document) = document("failures.md");
    let owed = lines(&document).into_iter().filter(|line| line.proof == OWED);
    let owed: Vec<_> = owed.map(|line| format!("{}: it names no test", line.subject)).collect();
    let mut wrong = wrong(&folder, &document);
    wrong.retain(|what| !owed.contains(what));
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_case_is_left_out() {
    let (_, document) = document("failures.md");
    let subjects: Vec<_> = lines(&document).into_iter().map(|line| line.subject).collect();
    let in_public = (1..=40).map(|number| format!("S-{number:02}"));
    let by_hand = (1..=13).map(|number| format!("7.{number}"));
    let all: Vec<_> = in_public.chain(by_hand).collect();
    assert_eq!(subjects, all, "each case, once, in its order");
}
