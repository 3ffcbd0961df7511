//! Paths to fields of a schema: `.spec.containers`, `.spec['my-field']`.

use serde_json::Value;

use crate::failure::FieldPath;

/// The field that a path leads to, as messages name it, and its schema.
///
/// # Errors
///
/// In words, if the path leads nowhere.
pub(crate) fn resolve<'a>(path: &str, schema: &'a Value, brackets: bool) -> Result<(FieldPath, &'a Value), String> {
    let (mut field, mut schema) = (FieldPath::root(), schema);
    for name in steps(path, brackets)? {
        (field, schema) = step(&field, schema, &name).ok_or("does not refer to a valid field")?;
    }
    Ok((field, schema))
}

/// The names in a path.
///
/// # Errors
///
/// In words, if it is none.
pub(in crate::crd) fn steps(path: &str, brackets: bool) -> Result<Vec<String>, String> {
    let mut tokens = tokens(path).into_iter();
    let mut next = || tokens.next().ok_or_else(|| "unexpected end of JSON path".to_owned());
    let mut steps = Vec::new();
    while let Ok(token) = next() {
        steps.push(match token {
            "." => next()?.to_owned(),
            "[" if !brackets => return Err("array notation is not allowed".into()),
            "[" => {
                let quoted = next()?;
                let inside = quoted.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
                let inside = inside.filter(|_| quoted.len() > 1);
                let inside = inside.ok_or_else(|| format!("expected single quoted string but got {quoted}"))?;
                let name = unescape(inside)?;
                let end = next()?;
                if end != "]" {
                    return Err(format!("expected ] but got {end}"));
                }
                name
            }
            other => return Err(format!("expected [ or . but got: {other}")),
        });
    }
    Ok(steps)
}

fn step<'a>(field: &FieldPath, schema: &'a Value, name: &str) -> Option<(FieldPath, &'a Value)> {
    match schema["properties"].as_object().filter(|it| !it.is_empty()) {
        Some(properties) => properties.get(name).map(|it| (field.child(name), it)),
        None => {
            let values = schema.get("additionalProperties")?;
            Some((field.key(name), values))
        }
    }
}

/// The path in pieces: `.`, `[`, `]`, and what is between them; a quoted text is one piece.
fn tokens(path: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '.' | '[' | ']' => 1,
            '\'' => {
                let bytes = rest.as_bytes();
                let closing = (1..bytes.len()).find(|at| bytes[*at] == b'\'' && bytes[at - 1] != b'\\');
                closing.map_or(rest.len(), |it| it + 1)
            }
            _ => rest.find(['.', '[', ']']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => return Err("invalid string literal: invalid single quoted string".into()),
            '\\' => match letters.next() {
                Some(it @ ('\\' | '\'' | '"')) => out.push(it),
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                _ => return Err("invalid string literal: invalid syntax".into()),
            },
            it => out.push(it),
        }
    }
    Ok(out)
}
