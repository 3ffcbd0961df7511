//! Numbers: ranges of formats, `multipleOf`, `maximum`, `minimum`.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::outcome::{Kind, Outcome, Problem};
use crate::schema::{Rules, Type};

/// The range of the format, `multipleOf`, `maximum` and `minimum`.
pub(super) fn number(path: &str, number: &Number, type_: Type, format: Option<&str>, rules: Option<&Rules>) -> Outcome {
    let mut outcome = Outcome {
        matches: 1,
        ..Outcome::default()
    };
    if let Some(message) = out_of_range("Checked", path, number, type_, format) {
        outcome.add(Problem::new("", message, Kind::Nowhere));
    }
    let Some(rules) = rules else { return outcome };
    let bound = Bound {
        path,
        number,
        type_,
        format,
    };
    if let Some(factor) = rules.multiple_of {
        let exact = bound.fits("MultipleOf", factor, &mut outcome);
        bound.multiple(factor, exact, &mut outcome);
    }
    for (limit, word, what) in [
        (rules.minimum, "greater", "Minimum boundary"),
        (rules.maximum, "less", "Maximum boundary"),
    ] {
        let Some((limit, exclusive)) = limit else { continue };
        let exact = bound.fits(what, limit, &mut outcome);
        bound.limit(limit, exclusive, word, exact, &mut outcome);
    }
    outcome
}

/// A number that is held against the bounds of its schema.
#[derive(Clone, Copy)]
struct Bound<'a> {
    path: &'a str,
    number: &'a Number,
    type_: Type,
    format: Option<&'a str>,
}

impl Bound<'_> {
    /// Whether a bound is itself a value of the type. If not, that is an error, and numbers are compared as floats.
    fn fits(self, what: &str, bound: f64, outcome: &mut Outcome) -> bool {
        let Some(bound) = Number::from_f64(bound) else {
            return false;
        };
        let message = out_of_range(what, self.path, &bound, self.type_, self.format);
        let fits = message.is_none();
        if let Some(message) = message {
            outcome.add(Problem::new("", message, Kind::Nowhere));
        }
        fits
    }

    fn multiple(self, factor: f64, exact: bool, outcome: &mut Outcome) {
        let path = self.path;
        let whole = whole(self.number, exact);
        let (positive, multiple) = match whole {
            Some(value) => {
                let factor = cut(factor);
                (factor > 0, factor > 0 && value % factor == 0)
            }
            None => {
                let value = self.number.as_f64().unwrap_or_default();
                let times = if factor < 1.0 {
                    1.0 / factor * value
                } else {
                    value / factor
                };
                (factor > 0.0, is_whole(times))
            }
        };
        let factor = if whole.is_some() {
            Value::from(cut(factor))
        } else {
            Value::from(factor)
        };
        let text = go_text(&factor);
        if !positive {
            let message = format!("factor MultipleOf declared for {path} must be positive: {text}");
            outcome.add(Problem::new(path, message, Kind::Invalid(factor)));
        } else if !multiple {
            self.refuse(format!("{path} in body should be a multiple of {text}"), outcome);
        }
    }

    fn limit(self, limit: f64, exclusive: bool, word: &str, exact: bool, outcome: &mut Outcome) {
        let (order, limit) = match whole(self.number, exact) {
            Some(value) => (Some(value.cmp(&cut(limit))), Value::from(cut(limit))),
            None => (
                self.number.as_f64().and_then(|it| it.partial_cmp(&limit)),
                Value::from(limit),
            ),
        };
        let beyond = if word == "less" {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let fits = order.is_some_and(|it| it != beyond && !(exclusive && it == Ordering::Equal));
        if !fits {
            let equal = if exclusive { "" } else { " or equal to" };
            let (path, limit) = (self.path, go_text(&limit));
            self.refuse(format!("{path} in body should be {word} than{equal} {limit}"), outcome);
        }
    }

    fn refuse(self, message: String, outcome: &mut Outcome) {
        outcome.add(Problem::new(
            self.path,
            message,
            Kind::Invalid(self.number.clone().into()),
        ));
    }
}

/// A whole number, if it is compared as one.
fn whole(number: &Number, exact: bool) -> Option<i64> {
    number.as_i64().filter(|_| exact)
}

/// A bound for whole numbers.
#[allow(clippy::cast_possible_truncation)]
fn cut(bound: f64) -> i64 {
    bound as i64
}

fn out_of_range(what: &str, path: &str, number: &Number, type_: Type, format: Option<&str>) -> Option<String> {
    let value = number.as_f64()?;
    let fits = match (type_, format) {
        (Type::Integer, Some("int32")) => {
            number.as_i64().is_some_and(|it| i32::try_from(it).is_ok()) || {
                !number.is_i64() && is_whole(value) && value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX)
            }
        }
        (Type::Integer, _) => number.is_i64() || is_whole(value),
        (Type::Number, Some("float")) => value.abs() <= f64::from(f32::MAX),
        _ => true,
    };
    let type_ = if type_ == Type::Integer { "integer" } else { "number" };
    (!fits).then(|| match format {
        Some(format) => format!("{what} value must be of type {type_} with format {format} in {path}"),
        None => format!("{what} value must be of type {type_} (default format) in {path}"),
    })
}

/// Whether a number is whole, as JSON's numbers can tell.
pub(super) fn is_whole(number: f64) -> bool {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if !number.is_finite() || number.abs() > SAFE {
        return false;
    }
    let rounded = number.round();
    let distance = (number - rounded).abs();
    distance == 0.0 || rounded != 0.0 && distance < 1e-9 * rounded.abs()
}

/// A scalar as Go's `%v` prints it.
fn go_text(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() => go_float(number),
        _ => value.to_string(),
    }
}

/// A number as Go's `%v` prints it.
pub(crate) fn go_float(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return number.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
