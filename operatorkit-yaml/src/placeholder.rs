//! Placeholders: expressions, and texts with expressions in them.

use std::{fmt, sync::LazyLock};

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Expression, UndefinedBehavior, Value, syntax::SyntaxConfig,
};
use serde_json::Value as Json;

use crate::scan::{Each, filters, placeholders};

/// A scalar that is filled.
pub(crate) struct Placeholder {
    pub(crate) line: u64,
    /// The scalar as it is written.
    pub(crate) text: String,
    /// The expression that the scalar is, if it is one and nothing else; its value keeps its type. Else it becomes a text.
    expression: Option<Expression<'static, 'static>>,
}

/// Why a placeholder gives no value.
#[derive(Debug)]
pub(crate) struct Unfilled {
    /// The lines before it in its scalar.
    pub(crate) lines: u64,
    /// The placeholders of that line, and why.
    pub(crate) why: String,
}

const ABSENT: &str = "there is no such value for this object: name a field that is always there, or say what counts without it, `.. | default(..)`";

/// Strict: what is not there is an error. Nothing is escaped: what is filled is a value already, and not a part of a document. A line that
/// holds nothing but a `{% .. %}` leaves no line behind.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder()
        .keep_trailing_newline(true)
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build();
    environment.set_syntax(syntax.expect("the delimiters are the usual ones"));
    environment
});

/// Whether a text has a placeholder in it.
pub(crate) fn is_placeholder(text: &str) -> bool {
    text.contains("{{") || text.contains("{%")
}

/// The whole text as one expression.
fn expression(text: &str) -> Option<Expression<'static, 'static>> {
    let inner = text.strip_prefix("{{")?.strip_suffix("}}")?;
    let inner = inner.strip_prefix('-').unwrap_or(inner);
    let inner = inner.strip_suffix('-').unwrap_or(inner);
    ENVIRONMENT.compile_expression_owned(inner.trim().to_owned()).ok()
}

impl Placeholder {
    /// # Errors
    /// If the syntax is wrong.
    pub(crate) fn parse(line: u64, text: &str) -> Result<Self, Unfilled> {
        let expression = expression(text);
        if let Some(filter) = unknown_filter(text) {
            return Err(Unfilled::told(0, text, &format!("unknown filter `{filter}`")));
        }
        if expression.is_none() {
            ENVIRONMENT
                .template_from_named_str("", text)
                .map_err(|error| Unfilled::syntax(&error, text))?;
        }
        Ok(Self {
            line,
            text: text.to_owned(),
            expression,
        })
    }

    /// Whether it is one expression and nothing else.
    pub(crate) fn is_whole(&self) -> bool {
        self.expression.is_some()
    }

    /// # Errors
    /// If a value is not there, or cannot be used like that.
    pub(crate) fn fill(&self, values: &Value) -> Result<Json, Unfilled> {
        let unfilled = |error: &Error| Unfilled::new(error, &self.text);
        let Some(expression) = &self.expression else {
            let text = ENVIRONMENT.render_named_str("", &self.text, values.clone());
            return text.map(Json::from).map_err(|error| unfilled(&error));
        };
        let value = expression.eval(values.clone()).map_err(|error| unfilled(&error))?;
        if value.is_undefined() {
            return Err(unfilled(&ErrorKind::UndefinedError.into()));
        }
        serde_json::to_value(&value).map_err(|_| unfilled(&ErrorKind::BadSerialization.into()))
    }
}

impl Unfilled {
    /// Nothing is filled yet, so the parser's words can only tell of the text.
    fn syntax(error: &Error, text: &str) -> Self {
        Self::told(lines_before(error), text, error.detail().unwrap_or("syntax error"))
    }

    fn told(lines: u64, text: &str, why: &str) -> Self {
        Self {
            lines,
            why: format!("{}: {why}", placeholders(text, lines)),
        }
    }

    /// Only what the file itself says is told: a detail may hold a value, and a value may be secret.
    fn new(error: &Error, text: &str) -> Self {
        let why = match error.kind() {
            ErrorKind::UndefinedError => ABSENT.to_owned(),
            kind @ (ErrorKind::UnknownFilter
            | ErrorKind::UnknownTest
            | ErrorKind::UnknownFunction
            | ErrorKind::UnknownMethod) => match error.detail() {
                Some(detail) => format!("{kind}: {detail}"),
                None => kind.to_string(),
            },
            kind => format!("{kind}: the value cannot be used like that"),
        };
        Self::told(lines_before(error), text, &why)
    }
}

fn lines_before(error: &Error) -> u64 {
    error.line().map_or(0, |line| line.saturating_sub(1) as u64)
}

/// A filter that there is not. The template language finds out only when it gets there.
fn unknown_filter(text: &str) -> Option<&str> {
    // What stands between those is no placeholder, whatever it looks like.
    if text.contains("endraw") {
        return None;
    }
    let known = |name: &&str| {
        let is = ENVIRONMENT.compile_expression_owned(format!("'{name}' is filter"));
        is.and_then(|is| is.eval(())).is_ok_and(|known| known.is_true())
    };
    Each(text).flat_map(filters).find(|name| !known(name))
}

impl fmt::Debug for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
