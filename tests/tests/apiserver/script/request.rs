//! The request of a step: its line, options and body, with variables and a row put in.

use std::fmt::Write as _;

use operatorkit::serde_json;

use super::{case::State, parse::Step, rows};
use crate::server::Ask;

/// The request of a step, in the variant of a row.
pub(super) fn of(state: &State, step: &Step, row: Option<&str>) -> Ask {
    let row = row.map(|row| state.filled(row));
    let row = row.as_deref();
    let (method, path, kind) = head(step, row);
    let mut ask = Ask::new(&method, &encoded(&state.filled(&path), b""));
    for header in step.options("header") {
        let (name, value) = header.split_once(": ").unwrap_or((header.trim_end_matches(':'), ""));
        ask = ask.header(name, &state.filled(&put(value, row)));
    }
    let edit = row.filter(|_| !has_place(step));
    if step.body.is_empty() && edit.is_none() {
        return ask;
    }
    let is_kind = |header: &str| header.to_lowercase().starts_with("content-type");
    if !step.options("header").any(is_kind) {
        ask = ask.header("content-type", kind);
    }
    let body = state.filled(&put(&step.body.join("\n"), row));
    ask.body = match body.strip_prefix("|\n").or_else(|| body.strip_prefix('|')) {
        Some(raw) => raw.into(),
        None => {
            let mut body = rows::yaml(&body);
            edit.into_iter().for_each(|edit| rows::apply(&mut body, edit));
            serde_json::to_vec(&body).expect("JSON")
        }
    };
    ask
}

/// Method, path, and the media type of a body.
fn head(step: &Step, row: Option<&str>) -> (String, String, &'static str) {
    let line = step.line.trim_start_matches('~');
    let line = line.strip_prefix("EACH ").unwrap_or(line);
    // A row may be the method, too.
    let line = match row {
        Some(row) if line == "{it}" => row,
        _ => line,
    };
    let (method, path) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}` has no path"));
    let (method, kind) = match method {
        "APPLY" => ("PATCH", "application/apply-patch+yaml"),
        "MERGE" => ("PATCH", "application/merge-patch+json"),
        "STRATEGIC" => ("PATCH", "application/strategic-merge-patch+json"),
        "JSONPATCH" => ("PATCH", "application/json-patch+json"),
        method => (method, "application/json"),
    };
    // A value of the query, or several, or a path.
    let value = format!("={}", encoded(row.unwrap_or_default(), b"&=+#%"));
    let path = put(&path.replace("={it}", &value), row);
    (method.to_owned(), path, kind)
}

/// Is there a place for the row? Otherwise it is an edit of the body.
fn has_place(step: &Step) -> bool {
    let mut texts = std::iter::once(&step.line).chain(&step.options).chain(&step.body);
    texts.any(|text| text.contains("{it}"))
}

fn put(text: &str, row: Option<&str>) -> String {
    text.replace("{it}", row.unwrap_or("{it}"))
}

/// A path and query with what no URI may hold, and `more`, encoded.
fn encoded(text: &str, more: &[u8]) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~%?&=/:@,;+!$'()*#".contains(&byte);
        if plain && !more.contains(&byte) {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
