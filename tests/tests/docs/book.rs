//! The book tells of all that a user can meet: each reason, each Event, each alert.

use std::{collections::BTreeSet, fs, path::Path};

use super::{pattern, root};

/// The sources of the runtime without their tests.
fn sources() -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if stem == "tests" {
                continue;
            }
            if path.is_dir() {
                walk(&path, found);
            } else {
                let text = fs::read_to_string(&path).expect("a file");
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                found.push(code.to_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("operatorkit-runtime/src"), &mut found);
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

fn chapter(name: &str) -> String {
    read(&format!("operatorkit/src/book/{name}.md"))
}

/// The words in backticks in the first cell of each line of the tables, and the rest of the line.
fn rows(document: &str) -> Vec<(String, String)> {
    let word = pattern("`([^`]+)`");
    let lines = document.lines().filter(|line| line.starts_with('|'));
    let cells = lines.filter_map(|line| line.trim_start_matches("| ").split_once(" | "));
    cells
        .flat_map(|(first, rest)| {
            let words = word.captures_iter(first).map(|found| found[1].to_owned());
            words.map(|word| (word, rest.to_owned())).collect::<Vec<_>>()
        })
        .collect()
}

/// What a pattern finds in the sources of the runtime: its groups.
fn found<const N: usize>(patterns: &[&str]) -> BTreeSet<[String; N]> {
    let sources = sources();
    let mut all = BTreeSet::new();
    for pattern in patterns.iter().map(|it| pattern(it)) {
        for source in &sources {
            all.extend(pattern.captures_iter(source).map(|groups| {
                let (_, groups) = groups.extract::<N>();
                groups.map(str::to_owned)
            }));
        }
    }
    all
}

#[test]
fn each_reason_is_in_the_chapter_on_troubles() {
    let reasons = found::<1>(&[
        r#"\.(?:with_)?reason\(\s*"([A-Z]\w+)""#,
        r#"Verdict::new\(\s*false,\s*"([A-Z]\w+)""#,
        r#"Self::\w+(?:\(_\))? => "([A-Z]\w+)","#,
        r#"const NOT_READY_IN_TIME: &str = "(\w+)""#,
    ]);
    // Phases and verbs stand in such a match, too: what is no reason is left out here, and what is unknown is told.
    let others = [
        "Ready",
        "Waiting",
        "Failed",
        "Skipped",
        "Pending",
        "Cancelled",
        "Deleting",
        "Deleted",
    ];
    let told: BTreeSet<_> = rows(&chapter("troubleshooting"))
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    let untold: Vec<_> = reasons
        .iter()
        .map(|[reason]| reason.as_str())
        .filter(|reason| !told.contains(*reason) && !others.contains(reason))
        .collect();
    assert_eq!(untold, [""; 0]);
    assert!(reasons.contains(&["NameCollision".to_owned()]) && reasons.contains(&["Forbidden".to_owned()]));
}

#[test]
fn each_event_is_in_its_chapter_with_its_type() {
    let events = found::<2>(&[r#"\.(normal|warning)\(\s*"([A-Z]\w+)""#]);
    let told = rows(&chapter("events"));
    let untold: Vec<_> = events
        .iter()
        .filter(|[type_, reason]| {
            !told.iter().any(|(word, rest)| {
                word == reason
                    && rest
                        .split(" | ")
                        .next()
                        .is_some_and(|cell| cell.eq_ignore_ascii_case(type_))
            })
        })
        .collect();
    assert_eq!(untold, Vec::<&[String; 2]>::new());
    assert!(events.iter().any(|[_, reason]| reason == "Adopted"), "{events:?}");
}

#[test]
fn each_alert_is_told_and_no_other() {
    let (alerts, told) = (read("monitoring/alerts.yaml"), chapter("metrics"));
    let alert = pattern(r"- alert: (\w+)");
    let alerts: BTreeSet<_> = alert.captures_iter(&alerts).map(|found| found[1].to_owned()).collect();
    let told = rows(&told).into_iter().map(|(word, _)| word);
    let told: BTreeSet<_> = told.filter(|word| word.starts_with("Operator")).collect();
    assert_eq!(told, alerts);
}
