//! Schedules of `CronJob`s, in the words of `github.com/robfig/cron/v3`.

use crate::validation::{At, Errors};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

struct Bounds {
    min: u32,
    max: u32,
    names: &'static [&'static str],
}

const FIELDS: [Bounds; 5] = [
    Bounds {
        min: 0,
        max: 59,
        names: &[],
    },
    Bounds {
        min: 0,
        max: 23,
        names: &[],
    },
    Bounds {
        min: 1,
        max: 31,
        names: &[],
    },
    Bounds {
        min: 1,
        max: 12,
        names: &MONTHS,
    },
    Bounds {
        min: 0,
        max: 6,
        names: &DAYS,
    },
];

/// Whether a schedule is one: five fields, or a descriptor.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn parse(text: &str) -> Result<(), String> {
    let mut spec = text;
    if spec.starts_with("TZ=") || spec.starts_with("CRON_TZ=") {
        let (zone, rest) = spec.split_once(' ').ok_or("provided bad location : EOF")?;
        let name = zone.split_once('=').map_or("", |it| it.1);
        if jiff::tz::TimeZone::get(name).is_err() && name != "UTC" {
            return Err(format!("provided bad location {name}: unknown time zone {name}"));
        }
        spec = rest.trim();
    }
    if let Some(descriptor) = spec.strip_prefix('@') {
        return match descriptor {
            "yearly" | "annually" | "monthly" | "weekly" | "daily" | "midnight" | "hourly" => Ok(()),
            _ if descriptor.starts_with("every ") => duration(spec, &descriptor["every ".len()..]),
            _ => Err(format!("unrecognized descriptor: {spec}")),
        };
    }
    let fields: Vec<_> = spec.split_whitespace().collect();
    if fields.len() != 5 {
        return Err(format!(
            "expected exactly 5 fields, found {}: [{}]",
            fields.len(),
            fields.join(" ")
        ));
    }
    let list = |(field, bounds): (&&str, &Bounds)| {
        field
            .split(',')
            .filter(|it| !it.is_empty())
            .try_for_each(|it| range(it, bounds))
    };
    fields.iter().zip(&FIELDS).try_for_each(list)
}

fn duration(spec: &str, text: &str) -> Result<(), String> {
    let wrong = || format!("failed to parse duration {spec}: time: invalid duration {text:?}");
    let mut rest = text;
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(|it| it.is_ascii_digit() || *it == b'.').count();
        let unit = ["ns", "us", "µs", "ms", "s", "m", "h"].into_iter().find(|it| {
            let after = &rest[digits..];
            after
                .strip_prefix(it)
                .is_some_and(|it| it.is_empty() || it.starts_with(|it: char| it.is_ascii_digit()))
        });
        match unit {
            Some(unit) if digits > 0 => rest = &rest[digits + unit.len()..],
            _ => return Err(wrong()),
        }
    }
    Ok(())
}

fn range(text: &str, bounds: &Bounds) -> Result<(), String> {
    let (whole, step) = match text.split_once('/') {
        Some((_, step)) if step.contains('/') => return Err(format!("too many slashes: {text}")),
        Some((whole, step)) => (whole, Some(step)),
        None => (text, None),
    };
    let (start, end) = match whole.split_once('-') {
        _ if whole == "*" || whole == "?" => (bounds.min, bounds.max),
        Some((_, end)) if end.contains('-') => return Err(format!("too many hyphens: {text}")),
        Some((start, end)) => (number(start, bounds)?, number(end, bounds)?),
        None => {
            let start = number(whole, bounds)?;
            (start, if step.is_some() { bounds.max } else { start })
        }
    };
    let step = step.map_or(Ok(1), digits)?;
    if start < bounds.min {
        return Err(format!(
            "beginning of range ({start}) below minimum ({}): {text}",
            bounds.min
        ));
    }
    if end > bounds.max {
        return Err(format!("end of range ({end}) above maximum ({}): {text}", bounds.max));
    }
    if start > end {
        return Err(format!(
            "beginning of range ({start}) beyond end of range ({end}): {text}"
        ));
    }
    if step == 0 {
        return Err(format!("step of range should be a positive number: {text}"));
    }
    Ok(())
}

fn number(text: &str, bounds: &Bounds) -> Result<u32, String> {
    let lower = text.to_lowercase();
    let named = bounds
        .names
        .iter()
        .position(|it| *it == lower)
        .and_then(|it| u32::try_from(it).ok());
    named.map_or_else(|| digits(text), |it| Ok(it + bounds.min))
}

fn digits(text: &str) -> Result<u32, String> {
    match text.parse::<i64>() {
        Ok(it) if it < 0 => Err(format!("negative number ({it}) not allowed: {text}")),
        Ok(it) => Ok(u32::try_from(it).unwrap_or(u32::MAX)),
        Err(_) => {
            let says = format!("strconv.Atoi: parsing {text:?}: invalid syntax");
            Err(format!("failed to parse int from {text}: {says}"))
        }
    }
}

/// The name of a time zone.
pub(super) fn time_zone(at: &At<'_>) -> Errors {
    let name = at.text();
    if !at.is_set() {
        return Errors::new();
    }
    if name.is_empty() {
        return vec![at.invalid("timeZone must be nil or non-empty string")];
    }
    let well = |part: &str| {
        let known = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_' | b'-' | b'+');
        let dots = part == "." || part == "..";
        !part.is_empty() && !dots && !part.starts_with('-') && part.len() <= 14 && part.bytes().all(known)
    };
    let unknown = || at.invalid(format!("unknown time zone {name}"));
    if !name.split('/').all(well) {
        return vec![unknown()];
    }
    let mut errors = Errors::new();
    if name.eq_ignore_ascii_case("local") {
        let says = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        errors.push(at.invalid(says));
    }
    if name != "UTC" && name != "Local" && jiff::tz::TimeZone::get(name).is_err() {
        errors.push(unknown());
    }
    errors
}
