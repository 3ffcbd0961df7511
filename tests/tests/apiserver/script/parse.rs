//! The form of a file of cases, read and written.
//!
//! Options of a step:
//!
//! | option | what |
//! |---|---|
//! | `@ header NAME: VALUE` | a header of the request |
//! | `@ as stranger` | sent by a user without rights, the same in the whole case, `{stranger}` by name |
//! | `@ as nobody` | sent without credentials |
//! | `@ set VAR PATH` | a value of the answer is used as `{VAR}` in later steps |
//! | `@ name VAR PATH` | the same, and it is shown as `{VAR}` from then on, in this answer too |
//! | `@ show PATH PATH` | of the answer only these matter; `-`: only the code does |
//! | `@ fields` | `managedFields` matter |
//! | `@ until PATH == JSON` | for a step with `~`: when the real server's answer is the one to be written down |
//! | `@ differs SERVER REASON` | a server answers something else, and why that is right |

use std::{fmt, str::Lines};

/// A file of cases.
#[derive(Debug)]
pub(super) struct File {
    /// Lines before the first case.
    head: Vec<String>,
    pub(super) cases: Vec<Case>,
}

/// A case: steps that are done in order.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) title: String,
    pub(super) steps: Vec<Step>,
}

/// A request, or something done with a watch.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Comments above it.
    pub(super) comments: Vec<String>,
    pub(super) line: String,
    pub(super) options: Vec<String>,
    /// Lines, without their indentation.
    pub(super) body: Vec<String>,
    /// One without text if it is not an `EACH`.
    pub(super) rows: Vec<Row>,
}

/// A variant of a request, and its answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) text: Option<String>,
    /// What is expected, from the line with `=>` on.
    pub(super) expected: Vec<String>,
}

impl Step {
    /// The values of an option, in order.
    pub(super) fn options<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let of = move |option: &'a String| match option.split_once(' ') {
            Some((key, value)) => (key == name).then_some(value.trim()),
            None => (option == name).then_some(""),
        };
        self.options.iter().filter_map(of)
    }

    pub(super) fn option(&self, name: &str) -> Option<String> {
        self.options(name).next().map(str::to_owned)
    }
}

/// Reads a file.
///
/// # Errors
/// With the line that has no place where it stands.
pub(super) fn file(text: &str) -> Result<File, String> {
    let mut file = File {
        head: Vec::new(),
        cases: Vec::new(),
    };
    let mut comments = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("== ") {
            file.cases.push(Case {
                title: title.into(),
                steps: Vec::new(),
            });
        } else if let Some(case) = file.cases.last_mut() {
            if line.starts_with('#') {
                comments.push(line.to_owned());
            } else if !line.is_empty() {
                let step = step(line, std::mem::take(&mut comments), &mut lines)?;
                case.steps.push(step);
            }
        } else if !line.is_empty() {
            file.head.push(line.to_owned());
        }
    }
    Ok(file)
}

/// A step: from its first line to an empty one.
fn step(first: &str, comments: Vec<String>, lines: &mut Lines<'_>) -> Result<Step, String> {
    if first.starts_with([' ', '@', '*', '<']) || first.starts_with("=>") {
        return Err(format!("a step starts with `{first}`"));
    }
    let mut step = Step {
        comments,
        line: first.to_owned(),
        ..Step::default()
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        let expecting = step.rows.last_mut().filter(|row| !row.expected.is_empty());
        if let Some(text) = line.strip_prefix("* ") {
            step.rows.push(Row {
                text: Some(text.to_owned()),
                ..Row::default()
            });
        } else if line.starts_with("=>") {
            if step.rows.is_empty() {
                step.rows.push(Row::default());
            }
            step.rows.last_mut().expect("a row").expected.push(line.to_owned());
        } else if let Some(row) = expecting {
            row.expected.push(line.to_owned());
        } else if let Some(option) = line.strip_prefix("@ ") {
            step.options.push(option.trim().to_owned());
        } else if let Some(text) = line.strip_prefix("  ") {
            step.body.push(text.to_owned());
        } else {
            return Err(format!(
                "the line `{line}` below `{first}` is neither an option nor a body"
            ));
        }
    }
    if step.rows.is_empty() {
        step.rows.push(Row::default());
    }
    Ok(step)
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.head {
            writeln!(f, "{line}")?;
        }
        for case in &self.cases {
            write!(f, "\n== {}\n", case.title)?;
            for (at, step) in case.steps.iter().enumerate() {
                if at > 0 {
                    writeln!(f)?;
                }
                write!(f, "{step}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comment in &self.comments {
            writeln!(f, "{comment}")?;
        }
        writeln!(f, "{}", self.line)?;
        for option in &self.options {
            writeln!(f, "@ {option}")?;
        }
        for line in &self.body {
            writeln!(f, "  {line}")?;
        }
        for row in &self.rows {
            if let Some(text) = &row.text {
                writeln!(f, "* {text}")?;
            }
            for line in &row.expected {
                writeln!(f, "{line}")?;
            }
        }
        Ok(())
    }
}
