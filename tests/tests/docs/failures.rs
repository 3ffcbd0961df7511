//! `docs/failures.md`: each of its cases has a line, and each line names tests that exist.

use std::{collections::BTreeSet, fs, path::PathBuf};

use crate::table::{document, lines, wrong};

/// The document up to its last section, and that section: the planted faults.
fn sections() -> (PathBuf, String, String) {
    let (folder, document) = document("failures.md");
    let parts = document.split_once("\n## Planted faults\n");
    let (cases, planted) = parts.expect("the document has a section for planted faults");
    (folder, cases.to_owned(), planted.to_owned())
}

#[test]
fn every_line_names_tests_that_exist() {
    let (folder, document, _) = sections();
    assert_eq!(wrong(&folder, &document), Vec::<String>::new());
}

#[test]
fn no_case_is_left_out() {
    let (_, document, _) = sections();
    let subjects: Vec<_> = lines(&document).into_iter().map(|line| line.subject).collect();
    let in_public = (1..=40).map(|number| format!("S-{number:02}"));
    let by_hand = (1..=16).map(|number| format!("7.{number}"));
    let all: Vec<_> = in_public.chain(by_hand).collect();
    assert_eq!(subjects, all, "each case, once, in its order");
}

#[test]
fn every_planted_fault_has_its_line() {
    let (folder, _, planted) = sections();
    let told = lines(&planted).into_iter().flat_map(|line| line.tests);
    let told: BTreeSet<_> = told
        .map(|(name, path)| (format!("../tests/planted/{name}.patch") == path, name))
        .collect();
    let files = fs::read_dir(folder.join("../tests/planted")).expect("a folder");
    let names = files.map(|file| {
        file.expect("a file")
            .path()
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    });
    let planted: BTreeSet<_> = names.filter(|name| name != "switch").map(|name| (true, name)).collect();
    assert_eq!(told, planted);
}
