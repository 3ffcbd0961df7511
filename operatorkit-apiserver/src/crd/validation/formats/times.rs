//! Dates, times and durations, as Go's `time` reads them.

use super::{matches, pattern};

pub(super) fn is_date(text: &str) -> bool {
    text.len() == 10 && matches(r"^\d{4}-\d{2}-\d{2}$", text) && text.parse::<jiff::civil::Date>().is_ok()
}

pub(super) fn is_date_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    let Ok(shape) = pattern::compile(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$") else {
        return false;
    };
    let within = |it: &regex::Captures<'_>| &it[1] <= "23" && &it[2] <= "59" && &it[3] <= "59";
    is_date(date) && shape.captures(time).is_some_and(|it| within(&it))
}

/// The nanoseconds of a duration: Go's `1h30m`, or Scala's `3 days`.
pub fn parse_duration(text: &str) -> Option<i64> {
    const UNITS: [(&[&str], i64); 8] = [
        (&["ns", "nano"], 1),
        (&["us", "µs", "micro"], 1_000),
        (&["ms", "milli"], 1_000_000),
        (&["s", "sec"], 1_000_000_000),
        (&["m", "min"], 60_000_000_000),
        (&["h", "hr", "hour"], 3_600_000_000_000),
        (&["d", "day"], 86_400_000_000_000),
        (&["w", "wk", "week"], 604_800_000_000_000),
    ];
    if let Some(duration) = parse_go_duration(text) {
        return Some(duration);
    }
    let parts = pattern::compile(r"(\d+)\s*([A-Za-zµ]+)").ok()?;
    let mut sum = None;
    for part in parts.captures_iter(text) {
        let count: i64 = part[1].parse().ok()?;
        let unit = part[2].to_lowercase();
        for (names, nanoseconds) in UNITS {
            let long = names.last().is_some_and(|it| unit.starts_with(it));
            if long || names.contains(&unit.as_str()) {
                sum = Some(i64::wrapping_add(sum.unwrap_or(0), count.wrapping_mul(nanoseconds)));
            }
        }
    }
    sum
}

/// The nanoseconds of a duration as `time.ParseDuration` reads it: `-1h2.5m`, `300ms`, `0`.
pub fn parse_go_duration(text: &str) -> Option<i64> {
    const UNITS: [(&str, i128); 8] = [
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("μs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut sum: i128 = 0;
    while !rest.is_empty() {
        let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.')?;
        let (number, after) = rest.split_at(end);
        let end = after
            .find(|it: char| it.is_ascii_digit() || it == '.')
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let (_, nanoseconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
        sum = sum.checked_add(part(number, *nanoseconds)?)?;
        rest = after;
    }
    i64::try_from(if negative { -sum } else { sum }).ok()
}

fn part(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') || whole.len() > 19 {
        return None;
    }
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut nanoseconds = whole.checked_mul(unit)?;
    let mut scale = unit;
    for digit in fraction.bytes() {
        scale /= 10;
        nanoseconds += i128::from(digit - b'0') * scale;
    }
    Some(nanoseconds)
}
