//! Kubernetes quantities (`1000m`, `0.5Gi`, `1e3`), compared exactly.

use serde_json::Value;

/// A quantity by its amount: `digits` × 10^`power`, with no zero at the end of `digits`, so that equal amounts are equal values.
///
/// The syntax is that of `resource.Quantity` in `k8s.io/apimachinery`: a signed decimal number and a suffix, one of
/// `n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei`, or an exponent `e3`, `E-3`. What the server rounds (finer than `1n`) and what
/// does not fit 128 bits is left to the comparison as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    digits: i128,
    power: i32,
}

impl Quantity {
    /// The quantity that a string or a number says; `None` for what is none.
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => Self::parse(&number.to_string()),
            _ => None,
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let (digits, places) = decimal(number)?;
        let (factor, power) = scale(suffix)?;
        let digits = digits.checked_mul(factor)?;
        Some(Self::normal(if negative { -digits } else { digits }, power - places))
    }

    /// The amount as bytes, equal for equal amounts.
    pub(super) fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        bytes[..16].copy_from_slice(&self.digits.to_le_bytes());
        bytes[16..].copy_from_slice(&self.power.to_le_bytes());
        bytes
    }

    fn normal(mut digits: i128, mut power: i32) -> Self {
        if digits == 0 {
            return Self { digits, power: 0 };
        }
        while digits % 10 == 0 {
            digits /= 10;
            power += 1;
        }
        Self { digits, power }
    }
}

/// The digits without the point, and how many stood after it.
fn decimal(text: &str) -> Option<(i128, i32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut digits: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        let digit = char::from(digit).to_digit(10)?;
        digits = digits.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some((digits, i32::try_from(fraction.len()).ok()?))
}

/// A suffix as a factor and a power of ten.
fn scale(suffix: &str) -> Option<(i128, i32)> {
    let power = match suffix {
        "n" => -9,
        "u" => -6,
        "m" => -3,
        "" => 0,
        "k" => 3,
        "M" => 6,
        "G" => 9,
        "T" => 12,
        "P" => 15,
        "E" => 18,
        _ => {
            return binary(suffix)
                .map(|factor| (factor, 0))
                .or_else(|| exponent(suffix).map(|power| (1, power)));
        }
    };
    Some((1, power))
}

fn binary(suffix: &str) -> Option<i128> {
    let step = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
        .iter()
        .position(|known| *known == suffix)?;
    Some(1 << (10 * (step + 1)))
}

fn exponent(suffix: &str) -> Option<i32> {
    // Far above what a quantity can hold, and far from overflowing when places are counted off.
    const LARGEST: i32 = 1_000_000;
    let power = suffix.strip_prefix(['e', 'E'])?;
    let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    power.parse().ok().filter(|power: &i32| power.abs() <= LARGEST)
}
