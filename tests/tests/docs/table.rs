//! Tables whose last column names tests: what is in them, and which of those tests are not there.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{pattern, root};

/// A line of a table: what its first cell says, and the tests in its last, each a name and a path from the document.
pub(crate) struct Line {
    pub(crate) subject: String,
    pub(crate) tests: Vec<(String, String)>,
}

/// The lines of all tables of a document, without their heads.
pub(crate) fn lines(document: &str) -> Vec<Line> {
    let link = pattern(r"\[`([^`]+)`\]\(([^)]+)\)");
    let rows: Vec<_> = document.lines().collect();
    let is_rule = |row: &str| row.starts_with("|---");
    let is_head = |at: usize| rows.get(at + 1).is_some_and(|next| is_rule(next));
    let cells = rows
        .iter()
        .enumerate()
        .filter(|(at, row)| row.starts_with('|') && !is_rule(row) && !is_head(*at))
        .map(|(_, row)| row.trim_matches(['|', ' ']).split(" | ").collect::<Vec<_>>());
    cells
        .map(|cells| Line {
            subject: cells.first().copied().unwrap_or_default().to_owned(),
            tests: link
                .captures_iter(cells.last().copied().unwrap_or_default())
                .map(|found| (found[1].to_owned(), found[2].to_owned()))
                .collect(),
        })
        .collect()
}

/// Whether there is such a test in a Rust file: a function under a `test` attribute, or one that `on_both!` makes a test of for each server.
fn has_test(source: &str, name: &str) -> bool {
    let name = regex::escape(name);
    let attributed = format!(r"#\[(tokio::)?test[^\]]*\]\s*(#\[[^\]]*\]\s*)*(async\s+)?fn\s+{name}\s*\(");
    let on_both = format!(r"on_both!\s*[\({{][^)}}]*\b{name}\b[^)]*[\)}}]");
    pattern(&attributed).is_match(source) || pattern(&on_both).is_match(source)
}

/// Why something that is named is no test; `None`: it is one.
fn missing(folder: &Path, name: &str, path: &str) -> Option<String> {
    let file = folder.join(path);
    let Ok(source) = fs::read_to_string(&file) else {
        return Some(format!("there is no file {path}"));
    };
    let is = if path.contains("/ui/") {
        // A case that must not compile, by the name of its file; the test is the comparison with what is stored beside it.
        file.file_stem().is_some_and(|stem| stem == name) && file.with_extension("stderr").exists()
    } else if file.extension().is_some_and(|extension| extension == "md") {
        // A chapter of the book, whose examples are doctests.
        let book = fs::read_to_string(root().join("operatorkit/src/book.rs")).unwrap_or_default();
        let listed = pattern(&format!(r"(?m)^\s*{}\b", regex::escape(name)));
        file.file_stem().is_some_and(|stem| stem == name) && listed.is_match(&book)
    } else {
        has_test(&source, name)
    };
    (!is).then(|| format!("{path} has no test `{name}`"))
}

/// What is wrong with a document in this folder: lines without a test, and tests that are not there.
pub(crate) fn wrong(folder: &Path, document: &str) -> Vec<String> {
    let of_line = |line: &Line| {
        let none = line.tests.is_empty().then(|| "it names no test".to_owned());
        let missing = line.tests.iter().filter_map(|(name, path)| missing(folder, name, path));
        let wrong: Vec<_> = missing
            .chain(none)
            .map(|why| format!("{}: {why}", line.subject))
            .collect();
        wrong
    };
    lines(document).iter().flat_map(of_line).collect()
}

/// A document in `docs`, and that folder.
pub(crate) fn document(name: &str) -> (PathBuf, String) {
    let folder = root().join("docs");
    let document = fs::read_to_string(folder.join(name)).expect("the document");
    (folder, document)
}

#[test]
fn a_wrong_document_is_told() {
    let folder = root().join("docs");
    let document = "| there | here | proved by |\n|---|---|---|\n\
        | one | yes | [`a_wrong_document_is_told`](../tests/tests/docs/table.rs) |\n\
        | two | yes | [`no_such_test`](../tests/tests/docs/table.rs) |\n\
        | three | yes | [`missing`](../tests/tests/docs/table.rs) |\n\
        | four | yes | |\n\
        | five | yes | [`x`](../tests/tests/nowhere.rs) |\n\
        | six | yes | [`no_such_case`](../tests/tests/ui/pause.rs) |\n";
    assert_eq!(
        wrong(&folder, document),
        [
            "two: ../tests/tests/docs/table.rs has no test `no_such_test`",
            "three: ../tests/tests/docs/table.rs has no test `missing`",
            "four: it names no test",
            "five: there is no file ../tests/tests/nowhere.rs",
            "six: ../tests/tests/ui/pause.rs has no test `no_such_case`",
        ]
    );
}
