//! Text to steps.

use serde_json::{Value, json};

use super::bracket::{comparison, end_of_filter, slice, split_comparison};
use super::quote::unquote;
use super::{Part, Step, SyntaxError};

pub(super) type Parsed<T> = Result<T, SyntaxError>;

/// Parses text with actions in braces.
pub(super) fn template(text: &str) -> Parsed<Vec<Part>> {
    let mut parser = Parser { rest: text };
    let mut parts = Vec::new();
    while !parser.rest.is_empty() {
        let text = parser.take_until(|c| c == '{');
        if !text.is_empty() {
            parts.push(Part::Text(text.to_owned()));
        }
        if parser.skip("{") {
            parts.push(Part::Action(parser.action()?));
        }
    }
    Ok(parts)
}

/// Parses a part of an action as an action of its own.
fn action(text: &str) -> Parsed<Vec<Step>> {
    match template(&format!("{{{text}}}"))?.into_iter().next() {
        Some(Part::Action(steps)) => Ok(steps),
        _ => Ok(Vec::new()),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_until(&mut self, is_end: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        self.take(end)
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    /// All up to the closing brace.
    fn action(&mut self) -> Parsed<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            if self.skip("}") {
                return Ok(steps);
            } else if self.skip("[?(") {
                steps.push(self.filter()?);
            } else if self.skip("..") {
                self.recursive(&mut steps)?;
            } else if self.skip(" ") || self.skip("@") || self.skip("$") {
                // Spaces, and the object that is meant anyway.
            } else if self.skip("[") {
                self.brackets(&mut steps)?;
            } else if self.skip(".") {
                steps.push(self.field());
            } else {
                steps.push(self.literal()?);
            }
        }
    }

    fn recursive(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        if steps.last() == Some(&Step::Recursive) {
            return Err(SyntaxError("invalid multiple recursive descent"));
        }
        steps.push(Step::Recursive);
        if self.rest.starts_with(is_word) {
            steps.push(self.field());
        }
        Ok(())
    }

    /// A name up to the next character that ends one and has no backslash before it.
    fn field(&mut self) -> Step {
        let mut end = self.rest.len();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            if character == '\\' {
                characters.next();
            } else if is_terminator(character) {
                end = at;
                break;
            }
        }
        match self.take(end) {
            "*" => Step::Wildcard,
            name => Step::Field(name.replace('\\', "")),
        }
    }

    fn literal(&mut self) -> Parsed<Step> {
        let first = self
            .rest
            .chars()
            .next()
            .filter(|c| !matches!(c, '\r' | '\n'))
            .ok_or(SyntaxError("unclosed action"))?;
        match first {
            '"' | '\'' => self.quoted(first),
            '+' | '-' => self.number(),
            _ if first.is_numeric() => self.number(),
            _ if is_word(first) => Ok(match self.take_until(is_terminator) {
                "true" => Step::Literal(Value::Bool(true)),
                "false" => Step::Literal(Value::Bool(false)),
                _ => Step::Unknown,
            }),
            _ => Err(SyntaxError("unrecognized character in action")),
        }
    }

    fn quoted(&mut self, quote: char) -> Parsed<Step> {
        let body = &self.rest[1..];
        let mut previous = quote;
        for (at, character) in body.char_indices() {
            if character == '\n' {
                break;
            }
            if character == quote && previous != '\\' {
                let text = unquote(&body[..at], quote).ok_or(SyntaxError("unquote string error"))?;
                self.take(at + 2);
                return Ok(Step::Literal(Value::String(text)));
            }
            previous = character;
        }
        Err(SyntaxError("unterminated quoted string"))
    }

    fn number(&mut self) -> Parsed<Step> {
        let sign = usize::from(self.rest.starts_with(['+', '-']));
        let digits = self.rest[sign..].find(|c: char| c != '.' && !c.is_numeric());
        let text = self.take(digits.map_or(self.rest.len(), |end| end + sign));
        if let Ok(number) = text.parse::<i64>() {
            return Ok(Step::Literal(json!(number)));
        }
        let number: f64 = text.parse().map_err(|_| SyntaxError("cannot parse number"))?;
        Ok(Step::Literal(json!(number)))
    }

    fn brackets(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        let text = self.take_until(|c| matches!(c, ']' | '\n'));
        if !self.skip("]") {
            return Err(SyntaxError("unterminated array"));
        }
        if text.contains(',') {
            let one = |part: &str| action(&format!("[{}]", part.trim_matches(' ')));
            steps.push(Step::Union(text.split(',').map(one).collect::<Parsed<_>>()?));
            return Ok(());
        }
        if let Some(key) = text
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
            .filter(|key| !key.contains('\''))
        {
            // What is quoted is read as a path again: a dot in it begins the next field.
            steps.extend(action(&format!(".{key}"))?);
            return Ok(());
        }
        steps.push(Step::Slice(slice(if text == "*" { ":" } else { text })?));
        Ok(())
    }

    fn filter(&mut self) -> Parsed<Step> {
        let end = end_of_filter(self.rest)?;
        let text = self.take(end);
        self.take(1);
        if !self.skip("]") {
            return Err(SyntaxError("unclosed array expect ]"));
        }
        match split_comparison(text) {
            None => Ok(Step::Exists(action(text)?)),
            Some((left, operator, right)) => Ok(Step::Compare(action(left)?, comparison(operator), action(right)?)),
        }
    }
}

fn is_terminator(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}'
    )
}

fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}
