//! Files of requests and expected answers.
//!
//! ```text
//! == a ConfigMap is created            a case: a namespace and an API group of its own
//! POST {core}/configmaps?dryRun=All    a step: a method, or APPLY, MERGE, STRATEGIC, JSONPATCH; a path with variables
//! @ header accept: application/yaml    its options, see `parse`
//!   metadata: {name: a}                its body: YAML, sent as JSON; after a line `|` as it stands
//! => 201                               the answer: code, and the reason of a Status
//! < warning: 299 - "…"                 headers that matter
//!   {apiVersion: "v1", kind: …}        its body: YAML, normalised, see `normal`
//!
//! ~GET {core}/configmaps/a             asked until the answer is this one
//!
//! EACH POST {core}/configmaps          a request in many variants
//!   metadata: {name: a}
//! * metadata.name = "A"                sets a field; `-path` removes one; with `{it}` in the head the row is put there
//! => 422 Invalid
//!
//! WATCH w {core}/configmaps?watch=1    starts a watch, called `w`
//! => 200
//!
//! EVENTS w 2                           its next two events, or those until the `end`
//! =>
//! ```

mod answer;
mod case;
mod diff;
mod names;
mod normal;
mod parse;
mod path;
mod reader;
mod render;
mod request;
mod rows;
mod step;

use std::{collections::BTreeSet, env, fs, path::PathBuf};

use futures::{StreamExt as _, stream};

pub(crate) use self::{diff::lines as difference, reader::Reader};
use crate::server::Server;

/// How many cases of a file run at once.
const AT_ONCE: usize = 8;

/// Runs all cases of `cases/<name>.http`, and shows every answer that is not the expected one.
pub(crate) async fn run(server: &Server, name: &str) {
    let path = folder().join(format!("{name}.http"));
    let text = fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
    let mut file = parse::file(&text).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
    let bless = env::var_os("CONFORMANCE_BLESS").is_some_and(|it| it == "1") && server.name() == "real";
    let only = env::var("CONFORMANCE_CASE").unwrap_or_default();

    let prefix = name.replace('_', "-");
    let chosen = file.cases.iter_mut().filter(|case| case.title.contains(&only));
    let failures: Vec<Vec<String>> = stream::iter(chosen)
        .map(|case| case::run(server, &prefix, case, bless))
        .buffered(AT_ONCE)
        .collect()
        .await;
    let failures = failures.concat();
    if bless {
        fs::write(&path, file.to_string()).expect("the file is written");
    }
    assert!(
        failures.is_empty(),
        "{} answers of the {} server are not those of cases/{name}.http (- expected, + answered):\n\n{}",
        failures.len(),
        server.name(),
        failures.join("\n\n")
    );
}

/// Panics unless the files of cases are these, in the form in which they would be written.
pub(crate) fn assert_files(names: &[&str]) {
    let there = fs::read_dir(folder()).expect("the folder of cases");
    let there: BTreeSet<String> = there
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let run = names.iter().map(|name| format!("{name}.http")).collect();
    assert_eq!(
        there, run,
        "left: the files of cases, right: those that `scripts!` names"
    );
    for name in there {
        let text = fs::read_to_string(folder().join(&name)).expect("a file");
        let file = parse::file(&text).unwrap_or_else(|err| panic!("{name}: {err}"));
        assert_eq!(file.to_string(), text, "{name}");
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/apiserver/cases")
}
