//! Quantities (`k8s.io/apimachinery/pkg/api/resource`): what is one, and how the real server writes it back.

use std::borrow::Cow;

use crate::suffix::{self, BINARY, Scale, WRONG_FORMAT};

const SUFFIX: &str = "unable to parse quantity's suffix";
const NANO: i32 = -9;
/// How many digits fit the fast path, where a quantity may keep its text.
const FAST_DIGITS: usize = 18;

/// The quantity as it is written back: `1000m` becomes `1`, `1024Mi` becomes `1Gi`.
///
/// # Errors
///
/// The real server's message.
pub(crate) fn canonical(text: &str) -> Result<Cow<'_, str>, &'static str> {
    if text.is_empty() {
        return Err(WRONG_FORMAT);
    }
    let parts = split(text)?;
    let scale = suffix::scale(parts.suffix).ok_or(SUFFIX)?;
    let digits = [parts.whole, parts.fraction].concat();
    let value = Value {
        digits: &digits,
        negative: text.starts_with('-'),
        fraction: i32::try_from(parts.fraction.len()).unwrap_or(i32::MAX),
    };
    if value.keeps_text(scale, parts.whole.len()) {
        return Ok(Cow::Borrowed(text));
    }
    // What no 128 bits can hold stays as it is written.
    Ok(value.written(scale).map_or(Cow::Borrowed(text), Cow::Owned))
}

struct Parts<'t> {
    whole: &'t str,
    fraction: &'t str,
    suffix: &'t str,
}

fn split(text: &str) -> Result<Parts<'_>, &'static str> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let unsigned = unsigned.trim_start_matches('0');
    let (whole, rest) = leading(unsigned, |it| it.is_ascii_digit());
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => leading(rest, |it| it.is_ascii_digit()),
        None => ("", rest),
    };
    let (_, tail) = leading(rest, |it| "eEinumkKMGTP".contains(it));
    let tail = tail.strip_prefix(['-', '+']).unwrap_or(tail);
    if !tail.bytes().all(|it| it.is_ascii_digit()) {
        return Err(WRONG_FORMAT);
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let suffix = rest;
    Ok(Parts {
        whole,
        fraction,
        suffix,
    })
}

fn leading(text: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|it| !is(it)).unwrap_or(text.len()))
}

struct Value<'d> {
    digits: &'d str,
    negative: bool,
    fraction: i32,
}

impl Value<'_> {
    /// Whether the text counts as canonical, by the rule of thumb of `ParseQuantity`.
    fn keeps_text(&self, scale: Scale, whole: usize) -> bool {
        match scale {
            Scale::Binary(power) => {
                let digits = power * 3 / 10 + 1;
                let fits = usize::try_from(digits).is_ok_and(|digits| whole + digits <= 15);
                let odd = self.digits.parse::<i64>().is_ok_and(|value| value & 7 != 0);
                self.fraction == 0 && fits && odd
            }
            Scale::Decimal(exponent) | Scale::Exponent(exponent) => {
                let exponent = exponent.saturating_sub(self.fraction);
                self.digits.len() <= FAST_DIGITS
                    && exponent >= NANO
                    && exponent % 3 == 0
                    && !self.digits.ends_with("000")
                    && !self.digits.starts_with('0')
            }
        }
    }

    fn written(&self, scale: Scale) -> Option<String> {
        let amount: i128 = self.digits.parse().ok()?;
        if amount == 0 {
            return Some("0".to_owned());
        }
        let (amount, exponent) = match scale {
            Scale::Decimal(exponent) | Scale::Exponent(exponent) => (amount, exponent.checked_sub(self.fraction)?),
            Scale::Binary(power) => (amount.checked_mul(1i128.checked_shl(power)?)?, -self.fraction),
        };
        let (mut amount, exponent) = to_nano(amount, exponent)?;
        if matches!(scale, Scale::Binary(_)) {
            amount = amount.min(i128::from(i64::MAX).checked_mul(10i128.checked_pow(exponent.unsigned_abs())?)?);
        }
        let text = match scale {
            Scale::Binary(_) => binary(amount, exponent).or_else(|| decimal(amount, exponent, false))?,
            Scale::Decimal(_) => decimal(amount, exponent, false)?,
            Scale::Exponent(_) => decimal(amount, exponent, true)?,
        };
        Some(if self.negative { format!("-{text}") } else { text })
    }
}

/// Nothing below a billionth is kept: the value is rounded up.
fn to_nano(amount: i128, exponent: i32) -> Option<(i128, i32)> {
    if exponent >= NANO {
        return Some((amount, exponent));
    }
    let rounded = match 10i128.checked_pow(NANO.checked_sub(exponent)?.unsigned_abs()) {
        Some(divisor) => amount / divisor + i128::from(amount % divisor != 0),
        None => 1,
    };
    Some((rounded, NANO))
}

fn decimal(mut amount: i128, mut exponent: i32, scientific: bool) -> Option<String> {
    while amount % 10 == 0 {
        amount /= 10;
        exponent += 1;
    }
    while exponent % 3 != 0 {
        amount = amount.checked_mul(10)?;
        exponent -= 1;
    }
    if scientific {
        return Some(if exponent == 0 {
            amount.to_string()
        } else {
            format!("{amount}e{exponent}")
        });
    }
    Some(format!("{amount}{}", suffix::decimal(exponent)))
}

/// With a binary suffix; `None` for what has a fraction, and for what is below 1024.
fn binary(amount: i128, exponent: i32) -> Option<String> {
    let mut whole = match exponent {
        0.. => amount.checked_mul(10i128.checked_pow(exponent.unsigned_abs())?)?,
        _ => {
            let divisor = 10i128.checked_pow(exponent.unsigned_abs())?;
            (amount % divisor == 0).then_some(amount / divisor)?
        }
    };
    if whole < 1024 {
        return None;
    }
    let mut power = 0;
    while whole % 1024 == 0 {
        whole /= 1024;
        power += 1;
    }
    let suffix = if power == 0 {
        ""
    } else {
        BINARY.get(power - 1).copied().unwrap_or("")
    };
    Some(format!("{whole}{suffix}"))
}
