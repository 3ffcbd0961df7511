//! Label selectors as text: tokens, and what they come to.

use std::collections::BTreeSet;

use super::{
    requirement::{Operator, Requirement},
    syntax::key_errors,
};

/// Reads the conditions of a selector.
pub(super) fn parse(text: &str) -> Result<Vec<Requirement>, String> {
    let tokens = tokens(text);
    let mut parser = Parser { tokens: &tokens, at: 0 };
    let mut requirements = Vec::new();
    loop {
        let found = parser.peek();
        match found.kind {
            Kind::Word | Kind::Not => {}
            Kind::End => return Ok(requirements),
            _ => {
                return Err(format!(
                    "found '{}', expected: !, identifier, or 'end of string'",
                    found.text
                ));
            }
        }
        let requirement = parser
            .requirement()
            .map_err(|error| format!("unable to parse requirement: {error}"))?;
        requirements.push(requirement);
        let found = parser.next();
        match found.kind {
            Kind::End => return Ok(requirements),
            Kind::Comma => {
                let found = parser.peek();
                if !matches!(found.kind, Kind::Word | Kind::Not) {
                    return Err(format!("found '{}', expected: identifier after ','", found.text));
                }
            }
            _ => return Err(format!("found '{}', expected: ',' or 'end of string'", found.text)),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    End,
    Word,
    Not,
    Comma,
    Open,
    Close,
    Compare(Operator),
    Error,
}

#[derive(Clone, Copy)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
}

const END: Token<'static> = Token {
    kind: Kind::End,
    text: "",
};

/// The tokens. A NUL ends the text, as it does in Go's lexer.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let text = text.split('\0').next().unwrap_or_default();
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        let (token, length) = if rest.starts_with(is_special) {
            special(rest)
        } else {
            word(rest)
        };
        tokens.push(token);
        rest = rest[length..].trim_start_matches(is_space);
    }
    tokens
}

fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\r' | '\n')
}

fn is_special(it: char) -> bool {
    matches!(it, '=' | '!' | '(' | ')' | ',' | '>' | '<')
}

fn word(text: &str) -> (Token<'_>, usize) {
    let length = text.find(|it| is_space(it) || is_special(it)).unwrap_or(text.len());
    let text = &text[..length];
    let kind = Kind::Word;
    (Token { kind, text }, length)
}

/// The longest symbol.
fn special(text: &str) -> (Token<'_>, usize) {
    let symbols = [
        ("==", Kind::Compare(Operator::DoubleEquals)),
        ("!=", Kind::Compare(Operator::NotEquals)),
        ("=", Kind::Compare(Operator::Equals)),
        (">", Kind::Compare(Operator::GreaterThan)),
        ("<", Kind::Compare(Operator::LessThan)),
        ("!", Kind::Not),
        ("(", Kind::Open),
        (")", Kind::Close),
        (",", Kind::Comma),
    ];
    let found = symbols.into_iter().find(|(symbol, _)| text.starts_with(symbol));
    let (length, kind) = found.map_or((1, Kind::Error), |(symbol, kind)| (symbol.len(), kind));
    let text = &text[..length];
    (Token { kind, text }, length)
}

struct Parser<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.at).copied().unwrap_or(END)
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let mut found = self.next();
        let not = found.kind == Kind::Not;
        if not {
            found = self.next();
        }
        if found.kind != Kind::Word {
            return Err(format!("found '{}', expected: identifier", found.text));
        }
        let key = found.text;
        let wrong = key_errors(key);
        if !wrong.is_empty() {
            return Err(format!("<nil>: Invalid value: {key:?}: {}", wrong.join("; ")));
        }
        let operator = match self.peek().kind {
            _ if not => Operator::DoesNotExist,
            Kind::End | Kind::Comma => Operator::Exists,
            _ => self.operator()?,
        };
        let values = match operator {
            Operator::Exists | Operator::DoesNotExist => BTreeSet::new(),
            Operator::In | Operator::NotIn => self.values()?,
            _ => self.exact_value()?,
        };
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        Requirement::new(key, operator, &values)
    }

    fn operator(&mut self) -> Result<Operator, String> {
        let found = self.next();
        match (found.kind, found.text) {
            (Kind::Compare(operator), _) => Ok(operator),
            (Kind::Word, "in") => Ok(Operator::In),
            (Kind::Word, "notin") => Ok(Operator::NotIn),
            (_, text) => Err(format!("found '{text}', expected: in, notin, =, ==, !=, gt, lt")),
        }
    }

    fn exact_value(&mut self) -> Result<BTreeSet<&'t str>, String> {
        if matches!(self.peek().kind, Kind::End | Kind::Comma) {
            return Ok(BTreeSet::from([""]));
        }
        let found = self.next();
        match found.kind {
            Kind::Word => Ok(BTreeSet::from([found.text])),
            _ => Err(format!("found '{}', expected: identifier", found.text)),
        }
    }

    fn values(&mut self) -> Result<BTreeSet<&'t str>, String> {
        let found = self.next();
        if found.kind != Kind::Open {
            return Err(format!("found '{}' expected: '('", found.text));
        }
        let first = self.peek();
        match first.kind {
            Kind::Close => {
                self.next();
                Ok(BTreeSet::from([""]))
            }
            Kind::Word | Kind::Comma => self.list(),
            _ => Err(format!("found '{}', expected: ',', ')' or identifier", first.text)),
        }
    }

    /// The values up to the closing parenthesis. There is an empty one wherever a comma has none beside it.
    fn list(&mut self) -> Result<BTreeSet<&'t str>, String> {
        let mut values = BTreeSet::new();
        loop {
            let found = self.next();
            match found.kind {
                Kind::Word => {
                    values.insert(found.text);
                    let next = self.peek();
                    match next.kind {
                        Kind::Comma => {}
                        Kind::Close => break,
                        _ => return Err(format!("found '{}', expected: ',' or ')'", next.text)),
                    }
                }
                Kind::Comma => {
                    let next = self.peek().kind;
                    if values.is_empty() || matches!(next, Kind::Comma | Kind::Close) {
                        values.insert("");
                    }
                    if next == Kind::Close {
                        break;
                    }
                }
                _ => return Err(format!("found '{}', expected: ',', or identifier", found.text)),
            }
        }
        self.next();
        Ok(values)
    }
}
