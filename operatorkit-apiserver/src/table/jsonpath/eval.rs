//! Steps to values.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Value, json};

use super::{Comparison, Part, Slice, Step};

type Values<'a> = Vec<Cow<'a, Value>>;

/// The path does not fit the object: it finds nothing at all.
struct Misfit;

/// More values than this are a misfit: a path of many `..` would else find each value many times over.
const MOST: usize = 100_000;

/// The first value of the first part. All parts must fit.
pub(super) fn first<'a>(parts: &[Part], object: &'a Value) -> Option<Cow<'a, Value>> {
    let mut first = None;
    for (at, part) in parts.iter().enumerate() {
        let values = match part {
            Part::Text(text) => vec![Cow::Owned(json!(text))],
            Part::Action(steps) => walk(steps, vec![Cow::Borrowed(object)]).ok()?,
        };
        if at == 0 {
            first = values.into_iter().next();
        }
    }
    first
}

fn walk<'a>(steps: &[Step], mut values: Values<'a>) -> Result<Values<'a>, Misfit> {
    for step in steps {
        values = take(step, values)?;
        if values.len() > MOST {
            return Err(Misfit);
        }
    }
    Ok(values)
}

fn take<'a>(step: &Step, values: Values<'a>) -> Result<Values<'a>, Misfit> {
    match step {
        Step::Literal(Value::String(text)) => Ok(vec![Cow::Owned(json!(text))]),
        Step::Literal(literal) => Ok(values.iter().map(|_| Cow::Owned(literal.clone())).collect()),
        Step::Field(name) => Ok(values.into_iter().filter_map(|value| field(&value, name)).collect()),
        Step::Slice(slice) => sliced(*slice, values),
        Step::Wildcard => Ok(values.into_iter().flat_map(children).collect()),
        Step::Recursive => recursive(values),
        Step::Union(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(walk(branch, values.clone())?);
            }
            Ok(all)
        }
        Step::Exists(steps) => filtered(values, |item| {
            Ok(walk(steps, vec![item]).is_ok_and(|found| !found.is_empty()))
        }),
        Step::Compare(left, comparison, right) => filtered(values, |item| {
            let left = single(walk(left, vec![item.clone()])?)?;
            let Some(left) = left else { return Ok(false) };
            match single(walk(right, vec![item])?)? {
                Some(right) => compare(&left, *comparison, &right),
                None => Ok(false),
            }
        }),
        Step::Unknown => Err(Misfit),
    }
}

fn single(values: Values<'_>) -> Result<Option<Cow<'_, Value>>, Misfit> {
    if values.len() > 1 {
        Err(Misfit)
    } else {
        Ok(values.into_iter().next())
    }
}

fn field<'a>(value: &Cow<'a, Value>, name: &str) -> Option<Cow<'a, Value>> {
    match value {
        Cow::Borrowed(Value::Object(fields)) => fields.get(name).map(Cow::Borrowed),
        _ => None,
    }
}

/// The items of lists, the values of maps, the bytes of strings.
fn children(value: Cow<'_, Value>) -> Values<'_> {
    match value {
        Cow::Borrowed(Value::Object(fields)) => fields.values().map(Cow::Borrowed).collect(),
        Cow::Borrowed(Value::Array(items)) => items.iter().map(Cow::Borrowed).collect(),
        value => value
            .as_str()
            .map(|text| text.bytes().map(|byte| Cow::Owned(json!(byte))).collect())
            .unwrap_or_default(),
    }
}

fn recursive(values: Values<'_>) -> Result<Values<'_>, Misfit> {
    let mut all = Vec::new();
    for value in values {
        let below = children(value.clone());
        if below.is_empty() {
            continue;
        }
        all.push(value);
        all.extend(recursive(below)?);
        if all.len() > MOST {
            return Err(Misfit);
        }
    }
    Ok(all)
}

fn sliced(slice: Slice, values: Values<'_>) -> Result<Values<'_>, Misfit> {
    let mut all = Vec::new();
    for value in values {
        let items = match value {
            Cow::Borrowed(Value::Array(items)) => items,
            value if value.is_null() => continue,
            _ => return Err(Misfit),
        };
        let length = i64::try_from(items.len()).map_err(|_| Misfit)?;
        let from_end = |bound: i64| if bound < 0 { bound.saturating_add(length) } else { bound };
        let start = from_end(slice.start.unwrap_or(0));
        let end = match slice.end {
            // `[-1]` is written `[-1:0]`.
            Some(0) if slice.is_one => length,
            end => from_end(end.unwrap_or(length)),
        };
        if start == end {
            return Ok(all);
        }
        if start < 0 || start >= length || end > length || start > end {
            return Err(Misfit);
        }
        let step = usize::try_from(slice.step.unwrap_or(1))
            .ok()
            .filter(|step| *step > 0)
            .ok_or(Misfit)?;
        let (start, end) = (
            usize::try_from(start).map_err(|_| Misfit)?,
            usize::try_from(end).map_err(|_| Misfit)?,
        );
        all.extend(items[start..end].iter().step_by(step).map(Cow::Borrowed));
    }
    Ok(all)
}

fn filtered<'a>(
    values: Values<'a>,
    mut passes: impl FnMut(Cow<'a, Value>) -> Result<bool, Misfit>,
) -> Result<Values<'a>, Misfit> {
    let mut all = Vec::new();
    for value in values {
        let Cow::Borrowed(Value::Array(items)) = value else {
            return Err(Misfit);
        };
        for item in items {
            if passes(Cow::Borrowed(item))? {
                all.push(Cow::Borrowed(item));
            }
        }
    }
    Ok(all)
}

fn compare(left: &Value, comparison: Comparison, right: &Value) -> Result<bool, Misfit> {
    let order = order(left, right)?;
    if let (
        Value::Bool(_),
        Comparison::Less | Comparison::Greater | Comparison::LessOrEqual | Comparison::GreaterOrEqual,
    ) = (left, comparison)
    {
        return Err(Misfit);
    }
    match comparison {
        Comparison::Less => Ok(order == Some(Ordering::Less)),
        Comparison::Greater => Ok(order == Some(Ordering::Greater)),
        Comparison::Equal => Ok(order == Some(Ordering::Equal)),
        Comparison::NotEqual => Ok(order != Some(Ordering::Equal)),
        Comparison::LessOrEqual => Ok(order.is_some_and(Ordering::is_le)),
        Comparison::GreaterOrEqual => Ok(order.is_some_and(Ordering::is_ge)),
        Comparison::Unknown => Err(Misfit),
    }
}

/// Only like is compared with like: strings, booleans, whole numbers, numbers with a fraction.
fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, Misfit> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Ok(Some(left.cmp(right))),
        (Value::Bool(left), Value::Bool(right)) => Ok(Some(left.cmp(right))),
        (Value::Number(left), Value::Number(right)) => match (left.as_i64(), right.as_i64()) {
            (Some(left), Some(right)) => Ok(Some(left.cmp(&right))),
            (None, None) => Ok(left.as_f64().partial_cmp(&right.as_f64())),
            _ => Err(Misfit),
        },
        _ => Err(Misfit),
    }
}
