//! `quantity()`.

use cel::{
    DeclarationError, Env, ExecutionError,
    common::types::{CelBool, CelDouble, CelInt, CelString},
};

use super::wrong;
use crate::suffix::{self, Scale, WRONG_FORMAT};

/// How many parts a whole has: a quantity is no finer than that.
const NANO: i128 = 1_000_000_000;

/// A quantity, in parts of a billion.
#[derive(Clone, Debug)]
struct Quantity {
    nano: i128,
    /// Whether it was written without a fraction, and without a suffix for one.
    whole: bool,
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nano == other.nano
    }
}

super::opaque!(Quantity, "kubernetes.Quantity");

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    cel::add_overload!(env, fn quantity: (CelString) -> Result<Quantity>)?;
    cel::add_overload!(env, fn is_quantity: (CelString) -> CelBool)?;
    cel::add_overload!(env, fn sign: (Quantity) -> CelInt)?;
    cel::add_member_overload!(env, fn is_greater_than: (Quantity, Quantity) -> CelBool)?;
    cel::add_member_overload!(env, fn is_less_than: (Quantity, Quantity) -> CelBool)?;
    cel::add_member_overload!(env, fn compare_to: (Quantity, Quantity) -> CelInt)?;
    cel::add_member_overload!(env, fn as_approximate_float: (Quantity) -> CelDouble)?;
    cel::add_member_overload!(env, fn as_integer: (Quantity) -> Result<CelInt>)?;
    cel::add_member_overload!(env, fn is_integer: (Quantity) -> CelBool)?;
    cel::add_member_overload!(env, fn plus: (Quantity, Quantity) -> Result<Quantity>, name = "add")?;
    cel::add_member_overload!(env, fn plus_int: (Quantity, CelInt) -> Result<Quantity>, name = "add")?;
    cel::add_member_overload!(env, fn minus: (Quantity, Quantity) -> Result<Quantity>, name = "sub")?;
    cel::add_member_overload!(env, fn minus_int: (Quantity, CelInt) -> Result<Quantity>, name = "sub")
}

/// Reads a quantity. What is finer than a billionth is rounded up; what is larger than 10²⁹ is no quantity here.
fn parse(text: &str) -> Option<Quantity> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = rest
        .find(|it: char| !it.is_ascii_digit() && it != '.')
        .unwrap_or(rest.len());
    let (number, suffix) = rest.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') || number.len() > 30 {
        return None;
    }
    let digits: i128 = format!("0{whole}{fraction}").parse().ok()?;
    let (base, exponent) = scale(suffix)?;
    let places = i32::try_from(fraction.len()).ok()?;
    let mut nano = digits.checked_mul(if base == 2 {
        NANO.checked_mul(1_i128.checked_shl(exponent.unsigned_abs())?)?
    } else {
        1
    })?;
    let mut power = if base == 2 { -places } else { exponent - places + 9 };
    while power > 0 {
        nano = nano.checked_mul(10)?;
        power -= 1;
    }
    let mut lost = false;
    while power < 0 && nano != 0 {
        lost |= nano % 10 != 0;
        nano /= 10;
        power += 1;
    }
    nano += i128::from(lost);
    let finer = base == 10 && exponent < places;
    let trailing = fraction.trim_end_matches('0').is_empty();
    Some(Quantity {
        nano: sign * nano,
        whole: nano % NANO == 0 && (!finer || trailing && exponent >= 0),
    })
}

/// The base and the exponent of a suffix.
fn scale(text: &str) -> Option<(u32, i32)> {
    Some(match suffix::scale(text)? {
        Scale::Exponent(exponent) if exponent.abs() >= 40 => return None,
        Scale::Decimal(exponent) | Scale::Exponent(exponent) => (10, exponent),
        Scale::Binary(power) => (2, i32::try_from(power).ok()?),
    })
}

fn quantity(text: &CelString<'_>) -> Result<Quantity, ExecutionError> {
    parse(text.inner()).ok_or_else(|| wrong("quantity", WRONG_FORMAT))
}

fn is_quantity(text: &CelString<'_>) -> CelBool {
    parse(text.inner()).is_some().into()
}

fn sign(quantity: &Quantity) -> CelInt {
    i64::try_from(quantity.nano.signum()).unwrap_or(0).into()
}

fn is_greater_than(one: &Quantity, other: &Quantity) -> CelBool {
    (one.nano > other.nano).into()
}

fn is_less_than(one: &Quantity, other: &Quantity) -> CelBool {
    (one.nano < other.nano).into()
}

fn compare_to(one: &Quantity, other: &Quantity) -> CelInt {
    (one.nano.cmp(&other.nano) as i64).into()
}

#[allow(clippy::cast_precision_loss)]
fn as_approximate_float(quantity: &Quantity) -> CelDouble {
    (quantity.nano as f64 / NANO as f64).into()
}

fn integer(quantity: &Quantity) -> Option<i64> {
    i64::try_from(quantity.nano / NANO).ok().filter(|_| quantity.whole)
}

fn as_integer(quantity: &Quantity) -> Result<CelInt, ExecutionError> {
    let whole = integer(quantity).map(CelInt::from);
    whole.ok_or_else(|| wrong("asInteger", "cannot convert value to integer"))
}

fn is_integer(quantity: &Quantity) -> CelBool {
    integer(quantity).is_some().into()
}

fn sum(one: &Quantity, other: Option<i128>, whole: bool) -> Result<Quantity, ExecutionError> {
    let nano = other.and_then(|other| one.nano.checked_add(other));
    let nano = nano.ok_or_else(|| wrong("add", "quantity is too large"))?;
    Ok(Quantity {
        nano,
        whole: one.whole && whole,
    })
}

fn plus(one: &Quantity, other: &Quantity) -> Result<Quantity, ExecutionError> {
    sum(one, Some(other.nano), other.whole)
}

fn minus(one: &Quantity, other: &Quantity) -> Result<Quantity, ExecutionError> {
    sum(one, other.nano.checked_neg(), other.whole)
}

fn plus_int(one: &Quantity, other: &CelInt) -> Result<Quantity, ExecutionError> {
    sum(one, i128::from(*other.inner()).checked_mul(NANO), true)
}

fn minus_int(one: &Quantity, other: &CelInt) -> Result<Quantity, ExecutionError> {
    sum(one, i128::from(*other.inner()).checked_mul(-NANO), true)
}
