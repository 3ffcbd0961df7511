//! A text as values with their places, without a judgement.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_saphyr::Spanned;

use crate::Problem;

/// A value and the line where it stands.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) line: u64,
    pub(crate) value: Value,
}

#[derive(Debug)]
pub(crate) enum Value {
    Scalar(Json),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

/// The documents of a text, those without content left out.
///
/// Words are read as kubectl does, by YAML 1.1: `yes` is true, and `0644` is octal.
pub(crate) fn read(file: &str, text: &str) -> Result<Vec<Node>, Problem> {
    let options =
        serde_saphyr::options! { legacy_octal_numbers: true, reject_unsupported_tags: true, with_snippet: false };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        Problem {
            file: file.to_owned(),
            line,
            message: format!("{}{}", said(&error.to_string()), hint(text, line)),
        }
    })
}

/// The parser's words without its own place, which is said before, and without what is for programs.
fn said(error: &str) -> &str {
    let first = error.lines().next().unwrap_or_default();
    let ends = [" at line ", ", set DuplicateKeyPolicy"];
    ends.iter()
        .fold(first, |said, end| said.split(end).next().unwrap_or(said))
}

/// What is meant where a placeholder stands without quotes, which to YAML is the beginning of a map.
fn hint(text: &str, line: u64) -> &'static str {
    let line = usize::try_from(line)
        .ok()
        .and_then(|line| text.lines().nth(line.checked_sub(1)?));
    let value = line.map_or("", |line| line.split_once(": ").map_or(line, |(_, value)| value));
    let value = value.trim_start().trim_start_matches("- ");
    if value.starts_with("{{") {
        "; a placeholder stands in quotes, and keeps its type: \"{{ .. }}\""
    } else if value.starts_with("{%") {
        "; only a value or a whole document can be a placeholder, in quotes: \"{{ .. }}\""
    } else {
        ""
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self {
            line: spanned.referenced.line(),
            value: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Scalar(Json::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Scalar(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        match serde_json::Number::from_f64(value) {
            Some(number) => Ok(Value::Scalar(number.into())),
            None => Err(E::custom("JSON has no such number: put it in quotes if it is a text")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Value::Map(map))
    }
}
