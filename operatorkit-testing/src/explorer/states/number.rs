//! Numbers within their bounds, near zero.

use proptest::strategy::{BoxedStrategy, Strategy as _};
use serde_json::Value;

/// So many different ones.
const SPREAD: u32 = 10;

/// The numbers of a schema, whole ones or in quarters.
pub(super) fn number(schema: &Value, whole: bool) -> BoxedStrategy<Value> {
    let step = schema["multipleOf"].as_f64().filter(|step| *step > 0.0);
    let step = step.unwrap_or(if whole { 1.0 } else { 0.25 });
    let excluded = |key: &str| schema[key] == true;
    // In steps.
    let least = schema["minimum"].as_f64().map(|least| {
        let first = (least / step).ceil();
        let is_bound = excluded("exclusiveMinimum") && first * step <= least;
        if is_bound { first + 1.0 } else { first }
    });
    let most = schema["maximum"].as_f64().map(|most| {
        let last = (most / step).floor();
        let is_bound = excluded("exclusiveMaximum") && last * step >= most;
        if is_bound { last - 1.0 } else { last }
    });
    let spread = f64::from(SPREAD);
    let (least, last) = (least.unwrap_or(f64::MIN), most.unwrap_or(f64::MAX));
    // From zero on, or as near to it as can be.
    let first = if last < 0.0 {
        (last - spread).max(least)
    } else {
        least.max(0.0)
    };
    let number = move |nth: u32| {
        let drawn = ((first + f64::from(nth)).min(last)) * step;
        if whole { integer(drawn) } else { drawn.into() }
    };
    (0..=SPREAD).prop_map(number).boxed()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "it is whole, and a bound in a schema is no larger than what JSON holds"
)]
fn integer(number: f64) -> Value {
    (number as i64).into()
}
