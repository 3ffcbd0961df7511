//! A scenario as it is written: a command of kubectl in each line.
//!
//! | line | what |
//! |---|---|
//! | `$ get pods` | ends with 0, and says the same on both servers |
//! | `$1 get pod x` | ends with 1 |
//! | `~ events` | the same as `$`, asked again until both say the same: where controllers need their time |
//! | `&3 get pods --watch` | runs beside the next lines, which wait for its first line; it is over after 3 lines of the output |
//! | `.` | the ends of all that run beside |
//! | `# …` | a comment |

use std::{fs, path::PathBuf};

use super::words::words;

/// A line of a scenario.
#[derive(Debug)]
pub(super) struct Line {
    /// As it is written, for messages.
    pub(super) text: String,
    pub(super) todo: Todo,
}

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Todo {
    /// A command that ends with this code.
    Run {
        words: Vec<String>,
        code: i32,
        patient: bool,
    },
    /// A command that is over after so many lines.
    Follow { words: Vec<String>, lines: usize },
    /// Waits for those.
    Gather,
}

/// The folder of this module.
pub(super) fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/kubectl"))
}

/// The lines of a scenario.
pub(super) fn read(name: &str) -> Vec<Line> {
    let path = folder().join(format!("scenarios/{name}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| Line {
            text: line.to_owned(),
            todo: todo(line),
        })
        .collect()
}

fn todo(line: &str) -> Todo {
    if line == "." {
        return Todo::Gather;
    }
    let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
    let words = words(rest);
    let number = |text: &str| text.parse().unwrap_or_else(|err| panic!("{line}: {err}"));
    match head.split_at(1) {
        ("$", "") => run(words, 0, false),
        ("$", code) => run(words, number(code), false),
        ("~", "") => run(words, 0, true),
        ("&", lines) => Todo::Follow {
            words,
            lines: usize::try_from(number(lines)).expect("a number of lines"),
        },
        _ => panic!("no line of a scenario: {line}"),
    }
}

fn run(words: Vec<String>, code: i32, patient: bool) -> Todo {
    Todo::Run { words, code, patient }
}
