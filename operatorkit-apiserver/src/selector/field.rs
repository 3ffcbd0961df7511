//! Field selectors (`k8s.io/apimachinery/pkg/fields`).

use std::fmt;

use crate::failure::Failure;

/// A field selector: conditions that must all be satisfied. Without any, it matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSelector {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    label: Box<str>,
    equal: bool,
    value: Box<str>,
}

impl FieldSelector {
    /// Reads the text of the parameter `fieldSelector`: `metadata.name=a,status.phase!=b`. In a value, `\`, `,` and `=` stand
    /// behind a `\`.
    ///
    /// # Errors
    ///
    /// 400, in the words of the real server.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let mut parts = split(text);
        parts.sort_unstable();
        let terms = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| term(part, text));
        let terms: Result<Vec<Term>, String> = terms.collect();
        // A term that says nothing of nothing asks for everything.
        let says_something = |term: &Term| !term.label.is_empty() || !term.value.is_empty();
        let terms = terms.map(|terms| terms.into_iter().filter(says_something).collect());
        terms.map(|terms| Self { terms }).map_err(Failure::bad_request)
    }

    /// Whether everything matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The field labels that are asked for, in order.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|term| &*term.label)
    }

    /// The value that a field must have, if there is one: `metadata.name` of a watch for one object.
    pub fn exact(&self, label: &str) -> Option<&str> {
        self.terms
            .iter()
            .find(|term| term.equal && *term.label == *label)
            .map(|term| &*term.value)
    }

    /// Whether an object matches; `get` is the value of one of its fields, empty if there is none.
    pub fn matches(&self, get: impl Fn(&str) -> String) -> bool {
        self.terms
            .iter()
            .all(|term| (get(&term.label) == *term.value) == term.equal)
    }
}

/// The terms between commas that have no `\` before them.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ',' => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn term(part: &str, selector: &str) -> Result<Term, String> {
    let operator = part.char_indices().find_map(|(at, _)| {
        let operators = [("!=", false), ("==", true), ("=", true)];
        let found = operators
            .into_iter()
            .find(|(operator, _)| part[at..].starts_with(operator));
        found.map(|(operator, equal)| (at, operator.len(), equal))
    });
    let (at, length, equal) =
        operator.ok_or_else(|| format!("invalid selector: '{selector}'; can't understand '{part}'"))?;
    Ok(Term {
        label: part[..at].into(),
        equal,
        value: unescape(&part[at + length..])?.into(),
    })
}

fn unescape(value: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped @ ('\\' | ',' | '=')) => plain.push(escaped),
                other => {
                    let sequence: String = ['\\'].into_iter().chain(other).collect();
                    return Err(format!("invalid field selector: invalid escape sequence: {sequence}"));
                }
            },
            // The real server writes the number of the character.
            ',' | '=' => {
                let number = u32::from(character);
                return Err(format!(
                    "invalid field selector: unescaped character in value: {number}"
                ));
            }
            other => plain.push(other),
        }
    }
    Ok(plain)
}

impl fmt::Display for FieldSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.terms.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            f.write_str(&term.label)?;
            f.write_str(if term.equal { "=" } else { "!=" })?;
            for character in term.value.chars() {
                if matches!(character, '\\' | ',' | '=') {
                    f.write_str("\\")?;
                }
                write!(f, "{character}")?;
            }
        }
        Ok(())
    }
}
