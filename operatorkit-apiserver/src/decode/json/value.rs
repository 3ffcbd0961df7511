//! [`Json`] to a [`Value`], with numbers as Go reads them where no type is known (`sigs.k8s.io/json`): whole ones as 64 bits
//! with a sign, all others as floats.

use serde_json::{Number, Value};

use super::Json;

impl Json<'_> {
    /// The value. Of duplicate keys the last one counts.
    ///
    /// # Errors
    ///
    /// The literal of a number that no float can hold.
    pub(crate) fn to_value(&self) -> Result<Value, String> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(literal) => number(literal).ok_or_else(|| literal.to_string())?.into(),
            Self::String(text) => Value::String(text.text.to_string()),
            Self::Array(items) => items.iter().map(Self::to_value).collect::<Result<_, _>>()?,
            Self::Object(fields) => fields
                .iter()
                .map(|(key, value)| Ok((key.to_string(), value.to_value()?)))
                .collect::<Result<_, String>>()?,
        })
    }
}

fn number(literal: &str) -> Option<Number> {
    match literal.parse::<i64>() {
        Ok(whole) => Some(whole.into()),
        Err(_) => float(literal).map(whole_or_float),
    }
}

/// The float that a literal stands for, if a float can hold it.
pub(crate) fn float(literal: &str) -> Option<f64> {
    literal.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Go writes a float without a fraction as a whole number, so it is read as one when it comes back.
pub(crate) fn whole_or_float(value: f64) -> Number {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the fraction is zero, and the bound is below that of i64"
    )]
    if value.fract() == 0.0 && value.abs() < 1e18 {
        return Number::from(value as i64);
    }
    Number::from_f64(value).unwrap_or_else(|| 0.into())
}
