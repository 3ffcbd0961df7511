//! What differs from run to run, taken out of texts: ages, uids, versions, hashes, addresses, times.

use std::sync::LazyLock;

use operatorkit::serde_json::{self, Value};
use regex::Regex;

use super::explained;

/// Patterns, in order, with what is shown instead.
const PATTERNS: &[(&str, &str)] = &[
    ("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uid>"),
    (r"\beyJ[\w-]+\.[\w-]+\.[\w-]+", "<token>"),
    (
        r"\b20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( [+-]\d{4}( UTC)?|Z)",
        "<time>",
    ),
    (
        r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}",
        "<time>",
    ),
    (r"\b127\.0\.0\.1(:\d+)?", "<server>"),
    (r"\b10\.\d+\.\d+\.\d+\b", "<ip>"),
    (r#"(resourceVersion"?: ?)"?\d+"?"#, "$1<version>"),
    (r"(Resource Version: +)\d+", "$1<version>"),
    (r"/tmp/(LIVE|MERGED)-\d+", "<folder>/$1"),
    // A build says what it is.
    (r"\+operatorkit\.[\w.+-]+", ""),
    (r"(compiler|gitCommit|goVersion|platform): \S+", "$1: <build>"),
    // How far it is when it is looked at.
    (r"(?m)^Waiting for .*\n", ""),
    // The head of a line of kubectl's own log.
    (r"(?m)^W\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+\] ", "<log> "),
    (r"\b3\d{4}/TCP", "<port>/TCP"),
    (r"nodePort: \d+", "nodePort: <port>"),
    // The whole object, in the order of Go's structs.
    (r#"Invalid value: "\{.*\}": "#, "Invalid value: <object>: "),
    // Letters of names by chance; there are no vowels among them.
    (
        r"\b([a-z]+(?:-[a-z]+)*)-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b",
        "$1-<hash>-<letters>",
    ),
    (r"\b([a-z]+)-[bcdfghjklmnpqrstvwxz2456789]{7,10}\b", "$1-<hash>"),
    (r"\b([a-z]+)-[bcdfghjklmnpqrstvwxz2456789]{5}\b", "$1-<letters>"),
    (r"(pod-template-hash\W+)[bcdfghjklmnpqrstvwxz2456789]+", "$1<hash>"),
    // Ages are at the ends of columns, or in the midst.
    (
        r"(?m)(^|\s|\()(<invalid>|(?:\d+[dhms])+)( ago)?( \(x\d+ over (?:\d+[dhms])+\))?($|\s|\))",
        "$1<age>$3$5",
    ),
    // Columns are as wide as their widest cell.
    (r"(\S)(?:  +|\t+ *)", "$1  "),
    (r"(?m) +$", ""),
];

static COMPILED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let compiled = PATTERNS
        .iter()
        .map(|&(pattern, shown)| (Regex::new(pattern).expect("a pattern"), shown));
    compiled.collect()
});

/// What a command said, without all this.
pub(super) fn normal(words: &[String], text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, shown) in COMPILED.iter() {
        text = pattern.replace_all(&text, *shown).into_owned();
    }
    if words.iter().any(|word| word == "--raw")
        && let Ok(value) = serde_json::from_str::<Value>(&text)
    {
        // In an order of its own.
        return format!("{value:#}");
    }
    match words.first().map(String::as_str) {
        Some("explain") => explained::fields(&text),
        // Those of one second are in no order.
        Some("events") => sorted(&text),
        Some("describe") => with_sorted_events(&text),
        // Out of a map.
        Some("label" | "annotate") if words.iter().any(|word| word == "--list") => sorted(&text),
        // Other scenarios have CRDs meanwhile.
        Some("api-resources" | "api-versions") => without(&text, "kubectl.test"),
        _ => text,
    }
}

fn sorted(text: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Events of one second are in no order; they stand below their heading, indented.
fn with_sorted_events(text: &str) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    let mut at = 0;
    while let Some(heading) = lines[at..].iter().position(|line| line.starts_with("Events:")) {
        let first = at + heading + 1;
        let indented = lines[first..].iter().take_while(|line| line.starts_with(' ')).count();
        at = first + indented;
        lines[first..at].sort_unstable();
    }
    lines.join("\n")
}

fn without(text: &str, what: &str) -> String {
    let lines: Vec<_> = text.lines().filter(|line| !line.contains(what)).collect();
    lines.join("\n")
}
