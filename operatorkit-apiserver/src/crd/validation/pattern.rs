//! Regular expressions as Go's `regexp` reads them, on top of the crate `regex`.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use regex::{Regex, RegexBuilder};

mod syntax;

/// How many compiled expressions are kept. A schema has few; a client that makes many CRDs may not fill the memory.
const KEPT: usize = 1024;

static COMPILED: LazyLock<Mutex<HashMap<Box<str>, Arc<Regex>>>> = LazyLock::new(Mutex::default);

/// Compiles an expression, or says why not. Compiled expressions are kept.
///
/// # Errors
///
/// The expression is not one.
pub fn compile(pattern: &str) -> Result<Arc<Regex>, String> {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(regex) = compiled.get(pattern) {
        return Ok(regex.clone());
    }
    if let Some(why) = syntax::refuse(pattern) {
        return Err(why);
    }
    let regex = RegexBuilder::new(&translate(pattern))
        .size_limit(10 << 20)
        .build()
        .map_err(|why| explain(pattern, &why.to_string()))?;
    if compiled.len() >= KEPT {
        compiled.clear();
    }
    let regex = Arc::new(regex);
    compiled.insert(pattern.into(), regex.clone());
    Ok(regex)
}

/// What Go's `regexp` says of a pattern that is none. Where the two word it differently, the words are ours.
fn explain(pattern: &str, why: &str) -> String {
    let why = why.lines().last().unwrap_or(why).trim_start_matches("error: ");
    let (go, about) = match why {
        "unclosed group" => ("missing closing )", pattern),
        "unopened group" => ("unexpected )", pattern),
        "repetition operator missing expression" => {
            let at = pattern.find(['*', '+', '?']).unwrap_or_default();
            ("missing argument to repetition operator", &pattern[at..=at])
        }
        _ if why.starts_with("look-around") => {
            let at = pattern.find("(?").unwrap_or_default();
            let end = pattern[at..]
                .char_indices()
                .nth(3)
                .map_or(pattern.len(), |(it, _)| at + it);
            ("invalid or unsupported Perl syntax", &pattern[at..end])
        }
        _ => (why, pattern),
    };
    format!("error parsing regexp: {go}: `{about}`")
}

/// Rewrites what `regex` reads otherwise: `\d`, `\w`, `\s` and `\b` are ASCII in Go, `[` and `&&` stand for themselves
/// in a class, `{` stands for itself where it counts nothing, and `\Q…\E` quotes.
fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut class: Option<usize> = None;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        match (next, class) {
            ('\\', _) => taken = escape(rest, class.is_some(), &mut out),
            ('[', None) => {
                class = Some(0);
                out.push('[');
                if rest[1..].starts_with('^') {
                    out.push('^');
                    taken += 1;
                }
                if rest[taken..].starts_with(']') {
                    out.push_str("\\]");
                    taken += 1;
                }
            }
            ('[', Some(_)) if rest.starts_with("[:") && rest.contains(":]") => {
                taken = rest.find(":]").map_or(1, |it| it + 2);
                out.push_str(&rest[..taken]);
            }
            ('[' | '&' | '~', Some(_)) => {
                out.push('\\');
                out.push(next);
            }
            ('-', Some(_)) if rest[1..].starts_with('-') => out.push_str("\\-"),
            (']', Some(_)) => {
                class = None;
                out.push(']');
            }
            ('{', None) if !counts(rest) => out.push_str("\\{"),
            _ => out.push(next),
        }
        rest = &rest[taken..];
    }
    out
}

/// Writes an escape, and tells how long it was.
fn escape(rest: &str, in_class: bool, out: &mut String) -> usize {
    let Some(next) = rest[1..].chars().next() else {
        out.push('\\');
        return 1;
    };
    let length = 1 + next.len_utf8();
    match (next, in_class) {
        ('Q', _) => {
            let end = rest.find("\\E");
            out.push_str(&regex::escape(&rest[length..end.unwrap_or(rest.len())]));
            return end.map_or(rest.len(), |it| it + 2);
        }
        ('d', false) => out.push_str("[0-9]"),
        ('d', true) => out.push_str("0-9"),
        ('D', _) => out.push_str("[^0-9]"),
        ('w', false) => out.push_str("[0-9A-Za-z_]"),
        ('w', true) => out.push_str("0-9A-Za-z_"),
        ('W', _) => out.push_str("[^0-9A-Za-z_]"),
        ('s', false) => out.push_str("[\\t\\n\\f\\r ]"),
        ('s', true) => out.push_str("\\t\\n\\f\\r "),
        ('S', _) => out.push_str("[^\\t\\n\\f\\r ]"),
        ('b', false) => out.push_str("(?-u:\\b)"),
        ('<' | '>', _) => out.push(next),
        _ => {
            out.push('\\');
            out.push(next);
        }
    }
    length
}

/// Whether `{` begins a repetition: `{3}`, `{3,}`, `{3,4}`.
fn counts(rest: &str) -> bool {
    let Some((inside, _)) = rest[1..].split_once('}') else {
        return false;
    };
    let (from, to) = inside.split_once(',').unwrap_or((inside, ""));
    let digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    !from.is_empty() && digits(from) && digits(to)
}
