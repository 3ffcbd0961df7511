//! `JSONPath` in the dialect of Kubernetes (`k8s.io/client-go/util/jsonpath`), as printer columns have it.
//!
//! It is older than RFC 9535 and not a part of it: `['a.b']` are two fields and `['a\.b']` is one, an index out of
//! bounds is an error, `[]` is the first item, comparisons of unlike types are errors, text and literals can stand in
//! a path. A column shows the first value only. So what the crates for RFC 9535 answer is not what the real server shows.
//!
//! | module | what |
//! |---|---|
//! | `parse` | text to steps |
//! | `bracket`, `quote` | what stands in brackets and in quotes |
//! | `eval` | steps to values |
//! | `print` | a value as text |

mod bracket;
mod eval;
mod parse;
pub(crate) mod print;
mod quote;

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

/// A compiled path.
#[derive(Clone, Debug, PartialEq)]
pub struct Path(Vec<Part>);

impl Path {
    /// Compiles a path as CRDs have it, without braces: `.status.conditions[?(@.type=="Ready")].status`.
    ///
    /// # Errors
    ///
    /// If the real server's parser would refuse it.
    pub fn compile(path: &str) -> Result<Self, SyntaxError> {
        parse::template(&format!("{{{path}}}")).map(Self)
    }

    /// The first value that the path finds, `None` if it finds none or does not fit the object.
    pub fn first<'a>(&self, object: &'a Value) -> Option<Cow<'a, Value>> {
        eval::first(&self.0, object)
    }
}

/// Why a path cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError(&'static str);

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for SyntaxError {}

/// A template is text and actions: `{.a} and {.b}`.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Action(Vec<Step>),
}

/// One step from values to values.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// A string, a number or a boolean that stands in the path itself.
    Literal(Value),
    /// `.name`
    Field(String),
    /// `[1]`, `[1:3]`, `[*]`
    Slice(Slice),
    /// `[?(@.a)]`
    Exists(Vec<Step>),
    /// `[?(@.a=="b")]`
    Compare(Vec<Step>, Comparison, Vec<Step>),
    /// `.*`
    Wildcard,
    /// `..`
    Recursive,
    /// `['a','b']`
    Union(Vec<Vec<Step>>),
    /// A word that is none: the path is compiled, and finds nothing.
    Unknown,
}

/// Bounds as they are written; those that are not written are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    start: Option<i64>,
    end: Option<i64>,
    step: Option<i64>,
    /// Whether the end is only there because one item is asked for: `[1]` is `[1:2]`.
    is_one: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    Greater,
    Equal,
    NotEqual,
    LessOrEqual,
    GreaterOrEqual,
    /// `=`, `!`, `<>`: compiled, and an error when it is looked at.
    Unknown,
}
