//! Durations as Go writes them.

/// As Go prints a duration: `1h0m30s`, `1.5s`, `100ms`.
pub(super) fn go_duration(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let all = nanoseconds.unsigned_abs();
    let fraction = |value: u64, unit: u64| {
        let digits = format!("{:0width$}", value % unit, width = unit.ilog10() as usize);
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        format!("{}{point}{digits}", value / unit)
    };
    match all {
        0 => "0s".into(),
        1..1_000 => format!("{sign}{all}ns"),
        1_000..1_000_000 => format!("{sign}{}µs", fraction(all, 1_000)),
        1_000_000..1_000_000_000 => format!("{sign}{}ms", fraction(all, 1_000_000)),
        _ => {
            let (minutes, seconds) = (all / 60_000_000_000, fraction(all % 60_000_000_000, 1_000_000_000));
            match (minutes / 60, minutes % 60) {
                (0, 0) => format!("{sign}{seconds}s"),
                (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
                (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
            }
        }
    }
}

/// The nanoseconds of such a text.
pub(super) fn parse_go_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    match rest {
        "0" => return Some(0),
        "" => return None,
        _ => {}
    }
    let mut sum = 0_i128;
    while !rest.is_empty() {
        let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.')?;
        let (number, after) = rest.split_at(end);
        let end = after
            .find(|it: char| it.is_ascii_digit() || it == '.')
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit: i128 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let digits = &fraction[..fraction.len().min(15)];
        let scale = 10_i128.pow(u32::try_from(digits.len()).ok()?);
        let part = |text: &str| {
            if text.is_empty() {
                Some(0)
            } else {
                text.parse::<i64>().ok().map(i128::from)
            }
        };
        sum += part(whole)? * unit + part(digits)? * unit / scale;
        rest = after;
    }
    i64::try_from(if negative { -sum } else { sum })
        .ok()
        .filter(|_| !text.is_empty())
}
