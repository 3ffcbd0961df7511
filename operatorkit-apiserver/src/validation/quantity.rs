//! Quantities: parsed, compared, and in the form that is stored (`k8s.io/apimachinery/pkg/api/resource`).

use std::cmp::Ordering;

use serde_json::Value;

use crate::suffix::{self, BINARY, Scale, WRONG_FORMAT};

/// Said of a quantity with an unknown suffix.
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";

const NANO: i128 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    DecimalSi,
    DecimalExponent,
    BinarySi,
}

/// A quantity, in billionths. What is smaller is rounded up, what is larger than an `i128` holds is cut.
#[derive(Clone, Debug)]
pub struct Quantity {
    nanos: i128,
    /// As it is stored.
    text: String,
}

impl Quantity {
    /// Parses `1500m`, `1Gi`, `1e3`.
    ///
    /// # Errors
    ///
    /// What the real server says of a wrong format, or of an unknown suffix.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let parts = Parts::split(text).ok_or(WRONG_FORMAT)?;
        let (base, exponent, format) = scale(parts.suffix).ok_or(WRONG_SUFFIX)?;
        let (nanos, exact) = parts.nanos(base, exponent);
        let format = match format {
            Format::BinarySi if nanos.abs() < NANO && nanos != 0 => Format::DecimalSi,
            other => other,
        };
        let text = if exact && parts.keeps_its_form(format, exponent) {
            text.to_owned()
        } else {
            canonical(nanos, format)
        };
        Ok(Self { nanos, text })
    }

    /// The quantity that a JSON value is; zero where there is none or it is wrong (the schema refuses that before).
    pub fn of(value: &Value) -> Self {
        let parsed = match value {
            Value::String(text) => Self::parse(text.trim()),
            Value::Number(number) => Self::parse(&number.to_string()),
            _ => Self::parse("0"),
        };
        parsed.unwrap_or_else(|_| Self {
            nanos: 0,
            text: "0".into(),
        })
    }

    /// The form that is stored.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.nanos < 0
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.nanos == 0
    }

    /// Whether it is whole.
    pub fn is_integer(&self) -> bool {
        // The real server looks at thousandths, rounded up.
        self.milli() % 1000 == 0
    }

    /// Thousandths, rounded up.
    pub fn milli(&self) -> i128 {
        round_up(self.nanos, NANO / 1000)
    }

    /// The form that is stored once it is rounded up to thousandths (`RoundUp(Milli)`); `None` if nothing is to be rounded.
    pub fn rounded_to_milli(&self) -> Option<String> {
        let nanos = self.milli().saturating_mul(NANO / 1000);
        let binary = self.text.ends_with('i');
        let format = if binary { Format::BinarySi } else { Format::DecimalSi };
        (self.nanos % (NANO / 1000) != 0).then(|| canonical(nanos, format))
    }

    /// The whole number, rounded up (`Value()`).
    pub fn whole(&self) -> i128 {
        round_up(self.nanos, NANO)
    }

    /// Billionths.
    pub fn nanos(&self) -> i128 {
        self.nanos
    }

    /// The sum, in the format of the first that is not zero.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let binary = |it: &Self| it.text.ends_with('i');
        let format = if binary(if self.is_zero() { other } else { self }) {
            Format::BinarySi
        } else {
            Format::DecimalSi
        };
        let nanos = self.nanos.saturating_add(other.nanos);
        Self {
            nanos,
            text: canonical(nanos, format),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

fn round_up(nanos: i128, unit: i128) -> i128 {
    let whole = nanos / unit;
    whole + if nanos % unit == 0 { 0 } else { nanos.signum() }
}

/// `-12.5Ki`: a sign, digits, digits, a suffix.
struct Parts<'a> {
    negative: bool,
    num: &'a str,
    denom: &'a str,
    suffix: &'a str,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let negative = text.starts_with('-');
        let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
        let digits = |text: &'a str| {
            let end = text.bytes().take_while(u8::is_ascii_digit).count();
            text.split_at(end)
        };
        let (num, rest) = digits(rest);
        let (denom, suffix) = match rest.strip_prefix('.') {
            Some(rest) => digits(rest),
            None => ("", rest),
        };
        let letters = suffix.trim_start_matches(|it| "eEinumkKMGTP".contains(it));
        let power = letters.strip_prefix(['-', '+']).unwrap_or(letters);
        let well = power.bytes().all(|it| it.is_ascii_digit()) && !(num.is_empty() && denom.is_empty());
        well.then_some(Self {
            negative,
            num: num.trim_start_matches('0'),
            denom,
            suffix,
        })
    }

    /// The billionths, and whether nothing was rounded.
    fn nanos(&self, base: u32, exponent: i32) -> (i128, bool) {
        let mut value: i128 = 0;
        for digit in self.num.bytes().chain(self.denom.bytes()) {
            value = value.saturating_mul(10).saturating_add(i128::from(digit - b'0'));
        }
        let denom = i32::try_from(self.denom.len()).unwrap_or(i32::MAX);
        let mut scale = 9_i32.saturating_sub(denom);
        if base == 2 {
            value = value.saturating_mul(1_i128.checked_shl(exponent.unsigned_abs()).unwrap_or(i128::MAX));
        } else {
            scale = scale.saturating_add(exponent);
        }
        let mut exact = true;
        while scale > 0 && value != 0 && value != i128::MAX {
            value = value.saturating_mul(10);
            scale -= 1;
        }
        if scale < 0 {
            let divisor = 10_i128.checked_pow(scale.unsigned_abs()).unwrap_or(i128::MAX);
            exact = value % divisor == 0;
            value = round_up(value, divisor);
        }
        if base == 2 {
            value = value.min(i128::from(i64::MAX) * NANO);
        }
        (if self.negative { -value } else { value }, exact)
    }

    /// Whether the real server keeps the text as it is: it does where it sees at once that it is canonical.
    fn keeps_its_form(&self, format: Format, exponent: i32) -> bool {
        let shifted = format!("{}{}", if self.num.is_empty() { "0" } else { self.num }, self.denom);
        if self.num.is_empty() && self.denom.is_empty() || shifted.len() > 18 {
            return false;
        }
        match format {
            Format::BinarySi => {
                let Ok(value) = shifted.parse::<i64>() else {
                    return false;
                };
                let room = 15 - i32::try_from(shifted.len()).unwrap_or(99) - exponent * 3 / 10 - 1;
                self.denom.is_empty() && exponent % 10 == 0 && value & 7 != 0 && room >= 0
            }
            _ => {
                let scale = exponent - i32::try_from(self.denom.len()).unwrap_or(99);
                scale >= -9 && scale % 3 == 0 && !shifted.ends_with("000") && !shifted.starts_with('0')
            }
        }
    }
}

fn scale(text: &str) -> Option<(u32, i32, Format)> {
    Some(match suffix::scale(text)? {
        Scale::Decimal(exponent) => (10, exponent, Format::DecimalSi),
        Scale::Exponent(exponent) => (10, exponent, Format::DecimalExponent),
        Scale::Binary(power) => (2, i32::try_from(power).ok()?, Format::BinarySi),
    })
}

fn canonical(nanos: i128, format: Format) -> String {
    if nanos == 0 {
        return "0".into();
    }
    if format == Format::BinarySi && nanos % NANO == 0 && (nanos / NANO).abs() >= 1024 {
        let (mut value, mut suffix) = (nanos / NANO, "");
        for next in BINARY {
            if value % 1024 != 0 {
                break;
            }
            (value, suffix) = (value / 1024, next);
        }
        return format!("{value}{suffix}");
    }
    let (mut value, mut exponent) = (nanos, -9);
    while value % 1000 == 0 && exponent < 18 {
        (value, exponent) = (value / 1000, exponent + 3);
    }
    if format == Format::DecimalExponent {
        return if exponent == 0 {
            value.to_string()
        } else {
            format!("{value}e{exponent}")
        };
    }
    format!("{value}{}", suffix::decimal(exponent))
}
