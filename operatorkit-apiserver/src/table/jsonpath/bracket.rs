//! What stands in brackets: filters and bounds.

use super::parse::Parsed;
use super::{Comparison, Slice, SyntaxError};

/// Where the parenthesis is that closes a filter: not one between the first quotes.
pub(super) fn end_of_filter(text: &str) -> Parsed<usize> {
    let mut quote = None;
    let mut is_closed = false;
    let mut previous = '(';
    for (at, character) in text.char_indices() {
        match (character, quote) {
            ('\n', _) => break,
            ('"' | '\'', None) => quote = Some(character),
            ('"' | '\'', Some(quote)) => is_closed |= previous != '\\' && character == quote,
            (')', _) if quote.is_some() == is_closed => return Ok(at),
            _ => {}
        }
        previous = character;
    }
    Err(SyntaxError("unterminated filter"))
}

/// `left`, the operator, `right`; both sides have something.
pub(super) fn split_comparison(text: &str) -> Option<(&str, &str, &str)> {
    let is_operator = |c: char| matches!(c, '!' | '<' | '>' | '=');
    let start = text.find(is_operator).filter(|start| *start > 0)?;
    let length = text[start..]
        .find(|c| !is_operator(c))
        .unwrap_or(text.len() - start - 1);
    let (operator, right) = text[start..].split_at(length);
    (length > 0).then_some((&text[..start], operator, right))
}

pub(super) fn comparison(operator: &str) -> Comparison {
    match operator {
        "<" => Comparison::Less,
        ">" => Comparison::Greater,
        "==" => Comparison::Equal,
        "!=" => Comparison::NotEqual,
        "<=" => Comparison::LessOrEqual,
        ">=" => Comparison::GreaterOrEqual,
        _ => Comparison::Unknown,
    }
}

/// `start:end:step`, each of which can be missing.
pub(super) fn slice(text: &str) -> Parsed<Slice> {
    let mut bounds = text.split(':').map(bound);
    let (start, end, step) = (bounds.next(), bounds.next(), bounds.next());
    if bounds.next().is_some() {
        return Err(SyntaxError("invalid array index"));
    }
    let start = start.transpose()?.flatten();
    match end {
        Some(end) => Ok(Slice {
            start,
            end: end?,
            step: step.transpose()?.flatten(),
            is_one: false,
        }),
        None => Ok(Slice {
            start,
            end: Some(start.unwrap_or(0).saturating_add(1)),
            step: None,
            is_one: true,
        }),
    }
}

fn bound(text: &str) -> Parsed<Option<i64>> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.starts_with('+') {
        return Err(SyntaxError("invalid array index"));
    }
    text.parse().map(Some).map_err(|_| SyntaxError("invalid array index"))
}
