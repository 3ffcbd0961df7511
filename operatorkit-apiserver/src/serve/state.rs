//! Objects in a file between runs: one JSON value a line.
//!
//! ```text
//! {"format":"operatorkit-apiserver","version":1,"resourceVersion":42,"secrets":{…}}
//! {"table":"apps/deployments","resourceVersion":17,"object":{…}}
//! …
//! {"objects":1,"sha256":"…"}
//! ```
//!
//! The last line counts the objects and hashes the lines before it: a file that is cut or changed is refused.

use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use bytes::Bytes;
use ring::digest::{Context, SHA256};
use serde_json::{Value, json};

use super::file;

const FORMAT: &str = "operatorkit-apiserver";
const VERSION: u64 = 1;

/// All that a server keeps between runs.
#[derive(Clone, Default, PartialEq)]
pub struct State {
    /// The resourceVersion of the last change.
    pub version: u64,
    /// Keys and tokens by name: whoever wrote them knows their form.
    pub secrets: BTreeMap<String, String>,
    /// The objects, in any order.
    pub objects: Vec<Entry>,
}

/// One object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Group and plural of what is stored: `apps/deployments`, `/pods`.
    pub table: String,
    /// Its resourceVersion.
    pub version: u64,
    /// The object as JSON in one line.
    pub object: Bytes,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub enum Damage {
    /// It cannot be read at all.
    Io(io::Error),
    /// This line is not what it should be.
    Line(usize, String),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Line(line, why) => write!(f, "is damaged in line {line}: {why}"),
        }
    }
}

impl std::error::Error for Damage {}

impl fmt::Debug for State {
    // It holds secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("version", &self.version)
            .field("objects", &self.objects.len())
            .finish_non_exhaustive()
    }
}

impl State {
    /// Writes the file: all of it, or nothing changes.
    ///
    /// # Errors
    ///
    /// As the file system says.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        file::replace(path, |to| {
            let mut hash = Context::new(&SHA256);
            let mut line = |parts: &[&[u8]]| {
                parts.iter().chain([&&b"\n"[..]]).try_for_each(|part| {
                    hash.update(part);
                    to.write_all(part)
                })
            };
            let head = json!({
                "format": FORMAT, "version": VERSION, "resourceVersion": self.version, "secrets": self.secrets,
            });
            line(&[head.to_string().as_bytes()])?;
            for entry in &self.objects {
                let start = format!(
                    "{{\"table\":{},\"resourceVersion\":{},\"object\":",
                    json!(entry.table),
                    entry.version
                );
                line(&[start.as_bytes(), &entry.object, b"}"])?;
            }
            let tail = json!({"objects": self.objects.len(), "sha256": BASE64.encode(hash.finish())});
            writeln!(to, "{tail}")
        })
    }

    /// Reads a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If it is not whole.
    pub fn read(path: &Path) -> Result<Option<Self>, Damage> {
        match File::open(path) {
            Ok(file) => Reader::new(file).state().map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Damage::Io(error)),
        }
    }
}

struct Reader<R> {
    lines: R,
    number: usize,
    hash: Context,
}

impl<R: io::Read> Reader<BufReader<R>> {
    fn new(from: R) -> Self {
        Self {
            lines: BufReader::new(from),
            number: 0,
            hash: Context::new(&SHA256),
        }
    }

    fn state(mut self) -> Result<State, Damage> {
        let head = self.next()?.ok_or_else(|| self.damage("the file is empty"))?;
        let mut state = self.head(&head)?;
        loop {
            let hash = BASE64.encode(self.hash.clone().finish());
            let Some(line) = self.next()? else {
                return Err(self.damage("the end is missing"));
            };
            if line.get("sha256").is_none() {
                state.objects.push(self.entry(&line)?);
                continue;
            }
            if line["sha256"] != hash || line["objects"] != state.objects.len() {
                return Err(self.damage("the lines before are not those that were written"));
            }
            return match self.next()? {
                None => Ok(state),
                Some(_) => Err(self.damage("nothing may follow the end")),
            };
        }
    }

    fn next(&mut self) -> Result<Option<Value>, Damage> {
        let mut line = Vec::new();
        self.number += 1;
        if self.lines.read_until(b'\n', &mut line).map_err(Damage::Io)? == 0 {
            return Ok(None);
        }
        self.hash.update(&line);
        serde_json::from_slice(&line)
            .map(Some)
            .map_err(|error| self.damage(error))
    }

    fn head(&self, head: &Value) -> Result<State, Damage> {
        if head["format"] != FORMAT {
            return Err(self.damage("this is no file of operatorkit-apiserver"));
        }
        if head["version"] != VERSION {
            let why = format!(
                "it is written in version {} of the format, and {VERSION} is known here",
                head["version"]
            );
            return Err(self.damage(why));
        }
        Ok(State {
            version: head["resourceVersion"]
                .as_u64()
                .ok_or_else(|| self.damage("no resourceVersion"))?,
            secrets: serde_json::from_value(head["secrets"].clone()).map_err(|error| self.damage(error))?,
            objects: Vec::new(),
        })
    }

    fn entry(&self, line: &Value) -> Result<Entry, Damage> {
        let named = line["object"]["metadata"]["name"].is_string();
        match (line["table"].as_str(), line["resourceVersion"].as_u64()) {
            (Some(table), Some(version)) if named => Ok(Entry {
                table: table.into(),
                version,
                object: line["object"].to_string().into(),
            }),
            _ => Err(self.damage("this is not an object")),
        }
    }

    fn damage(&self, why: impl fmt::Display) -> Damage {
        Damage::Line(self.number, format!("{why}"))
    }
}
