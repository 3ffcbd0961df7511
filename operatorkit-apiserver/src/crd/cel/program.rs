//! An expression, read, checked and made ready to run within its budget.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cel::{
    Context, ExecutionError,
    common::{
        ast::IdedExpr,
        types::{CelBool, CelOptional, CelString},
        value::Val,
    },
};

use super::{
    checker::{Checked, Checker, locate},
    kind::Kind,
    library, stack,
};
use crate::schema::Schema;

/// How deep expressions may be nested.
const DEEPEST: usize = 120;

/// How many `&&` and `||` there may be.
const MOST_TERMS: usize = 4000;

/// How long an expression may be: cel-go's limit.
const LONGEST: usize = 100_000;

/// An expression that is ready to run.
#[derive(Clone, Debug)]
pub(super) struct Program {
    expression: IdedExpr,
    /// Whether it may run on any thread.
    pub(super) shallow: bool,
    /// Whether it speaks of `oldSelf`.
    pub(super) uses_old_self: bool,
}

impl Program {
    /// Reads and checks an expression whose value must be of type `wanted`.
    ///
    /// # Errors
    ///
    /// It is none, or it is of another type; in the words of the real server, behind `prefix`.
    pub(super) fn compile(
        source: &str,
        schema: Schema<'_>,
        variables: Vec<(String, Kind)>,
        wanted: &Kind,
        prefix: &str,
    ) -> Result<Self, String> {
        let read =
            stack::with_room(|| read(source, schema, variables).map(|(it, checked)| (stack::depth(&it), it, checked)));
        let read = read.unwrap_or_else(|()| Err(locate(source, 0, "Syntax error: the expression could not be read")));
        let (depth, expression, checked) = read.map_err(|why| format!("{prefix}compilation failed: {why}"))?;
        if checked.kind != *wanted {
            let what = if prefix.is_empty() {
                "cel expression"
            } else {
                "messageExpression"
            };
            return Err(format!("{what} must evaluate to a {wanted}"));
        }
        Ok(Self {
            expression,
            shallow: depth <= stack::SHALLOW,
            uses_old_self: checked.uses_old_self,
        })
    }

    /// Runs it as a rule.
    pub(super) fn holds(&self, variables: Variables<'_>) -> Result<bool, ExecutionError> {
        caught(|| {
            let context = variables.context();
            let value = cel::Value::resolve_val(&self.expression, &context)?;
            Ok(value.downcast_ref::<CelBool>().is_some_and(|it| *it.inner()))
        })
    }

    /// Runs it as a message.
    pub(super) fn text(&self, variables: Variables<'_>) -> Result<Option<String>, ExecutionError> {
        caught(|| {
            let context = variables.context();
            let value = cel::Value::resolve_val(&self.expression, &context)?;
            Ok(value.downcast_ref::<CelString<'_>>().map(|it| it.inner().to_owned()))
        })
    }
}

/// Runs an expression. A panic in it is an error of the rule, and not of the server.
fn caught<T>(run: impl FnOnce() -> Result<T, ExecutionError>) -> Result<T, ExecutionError> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let why = "the expression could not be evaluated";
        Err(ExecutionError::function_error("panic", why))
    })
}

/// What an expression may speak of.
#[derive(Clone, Copy)]
pub(super) struct Variables<'a> {
    /// `self`.
    pub(super) new: &'a (dyn Val + 'static),
    /// `oldSelf`, if there is one.
    pub(super) old: Option<&'a (dyn Val + 'static)>,
    /// Whether `oldSelf` is an optional value.
    pub(super) optional: bool,
}

impl Variables<'_> {
    fn context(self) -> Context<'static, 'static> {
        let mut context = Context::with_env(library::environment());
        context.add_variable_as_val("self", copy(self.new));
        match (self.old, self.optional) {
            (Some(old), false) => context.add_variable_as_val("oldSelf", copy(old)),
            (Some(old), true) => context.add_variable_as_val("oldSelf", Box::new(CelOptional::of(copy(old)))),
            (None, true) => context.add_variable_as_val("oldSelf", Box::new(CelOptional::none())),
            (None, false) => {}
        }
        context
    }
}

fn copy(value: &(dyn Val + 'static)) -> Box<dyn Val> {
    value.clone_as_boxed()
}

fn read(source: &str, schema: Schema<'_>, variables: Vec<(String, Kind)>) -> Result<(IdedExpr, Checked), String> {
    if source.chars().count() > LONGEST {
        let what = format!(
            "expression code point size exceeds limit: size: {}, limit {LONGEST}",
            source.chars().count()
        );
        return Err(locate(source, 0, &what));
    }
    if nesting(source) > DEEPEST {
        return Err(locate(source, 0, "expression recursion limit exceeded: 250"));
    }
    let (expression, info) = library::environment()
        .parser()
        .parse_with_source_info(source)
        .map_err(|errors| {
            let syntax = errors.errors.iter().any(|it| it.msg.starts_with("Syntax error"));
            let errors = errors
                .errors
                .iter()
                .filter(|it| !syntax || it.msg.starts_with("Syntax error"));
            let errors = errors.map(|it| {
                let (line, column) = it.pos;
                let text = source
                    .lines()
                    .nth(usize::try_from(line - 1).unwrap_or_default())
                    .unwrap_or_default();
                let dots = ".".repeat(usize::try_from(column - 1).unwrap_or_default());
                format!("ERROR: <input>:{line}:{column}: {}\n | {text}\n | {dots}^", it.msg)
            });
            errors.collect::<Vec<_>>().join("\n")
        })?;
    let expression = stack::balanced(expression);
    let checked = Checker::new(schema, &info, variables).check(&expression)?;
    Ok((library::bounded(expression), checked))
}

/// An upper bound of how deep the tree of an expression is: each operator, dot and bracket may nest.
fn nesting(source: &str) -> usize {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let (mut depth, mut deepest, mut chain, mut terms) = (0_usize, 0, 0_usize, 0);
    for letter in source.chars() {
        if let Some(end) = quote {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                it if it == end => quote = None,
                _ => {}
            }
            continue;
        }
        match letter {
            '"' | '\'' => quote = Some(letter),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '+' | '-' | '*' | '/' | '%' | '?' | '!' | '.' => chain += 1,
            ',' => chain = 0,
            '&' | '|' => {
                chain = 0;
                terms += 1;
            }
            _ => {}
        }
        deepest = deepest.max(depth + chain);
    }
    // Each of these operators has two letters.
    if terms > 2 * MOST_TERMS { usize::MAX } else { deepest }
}

/// What went wrong when an expression ran, in the words of cel-go.
pub(super) fn explain(error: &ExecutionError) -> String {
    match error {
        ExecutionError::NoSuchKey(key) => format!("no such key: {key}"),
        ExecutionError::DivisionByZero(_) => "division by zero".into(),
        ExecutionError::RemainderByZero(_) => "modulus by zero".into(),
        ExecutionError::Overflow(..) => "integer overflow".into(),
        ExecutionError::NoSuchOverload(_) => "no such overload".into(),
        ExecutionError::IndexOutOfBounds(index) => {
            let index = cel::Value::clone(index);
            match index {
                cel::Value::Int(index) => format!("index out of bounds: {index}"),
                other => format!("index out of bounds: {other:?}"),
            }
        }
        ExecutionError::UnsupportedBinaryOperator(..) | ExecutionError::ValuesNotComparable(..) => {
            "no such overload".into()
        }
        ExecutionError::FunctionError { function, message } => conversion(function, message),
        ExecutionError::UndeclaredReference(name) => format!("no such attribute(s): {name}"),
        other => other.to_string(),
    }
}

/// What a function says, where that is a text that cannot be converted.
fn conversion(function: &str, message: &str) -> String {
    let to = match function {
        "int" | "uint" | "double" if message.starts_with("string parse error") => function,
        "bool" if message.starts_with("Type conversion error") => function,
        "duration" if message.starts_with("Parsing Error") => "google.protobuf.Duration",
        "timestamp" if !message.contains("out of range") => "google.protobuf.Timestamp",
        _ => return message.replace("ints, uints, and doubles", "integers"),
    };
    format!("type conversion error from 'string' to '{to}'")
}
