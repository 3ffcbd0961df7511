//! Durations for people, as the package `k8s.io/apimachinery/pkg/util/duration` writes them.

use jiff::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// What Go's `time.Duration` can hold, in seconds: longer times are cut to this.
const LONGEST: i64 = i64::MAX / 1_000_000_000;

/// The time that passes from one moment to another, about: `42s`, `3m5s`, `5d12h`, `2y30d`.
///
/// `<invalid>` if `end` is two seconds or more before `start`.
pub fn between(start: Timestamp, end: Timestamp) -> String {
    human(end.duration_since(start).as_secs())
}

/// A number of whole seconds for people: two units at most, and the smaller one only while it says something.
pub fn human(seconds: i64) -> String {
    let seconds = seconds.clamp(-LONGEST, LONGEST);
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        120..600 => with_rest(seconds, MINUTE, 'm', 1, 's'),
        600..10_800 => format!("{}m", seconds / MINUTE),
        10_800..28_800 => with_rest(seconds, HOUR, 'h', MINUTE, 'm'),
        28_800..172_800 => format!("{}h", seconds / HOUR),
        172_800..691_200 => with_rest(seconds, DAY, 'd', HOUR, 'h'),
        _ if seconds < 2 * YEAR => format!("{}d", seconds / DAY),
        _ if seconds < 8 * YEAR => with_rest(seconds, YEAR, 'y', DAY, 'd'),
        _ => format!("{}y", seconds / YEAR),
    }
}

/// `3m5s`, or `3m` without a rest.
fn with_rest(seconds: i64, unit: i64, name: char, smaller: i64, smaller_name: char) -> String {
    let rest = seconds % unit / smaller;
    if rest == 0 {
        return format!("{}{name}", seconds / unit);
    }
    format!("{}{name}{rest}{smaller_name}", seconds / unit)
}

/// The time since a moment of the object, `<unknown>` without one.
///
/// Go's zero time counts as none.
pub(super) fn since(moment: Option<&str>, now: Timestamp) -> String {
    match moment.and_then(parse) {
        Some(moment) => between(moment, now),
        None => "<unknown>".to_owned(),
    }
}

/// A moment in RFC 3339. `None` for what is not one, and for Go's zero time.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    const ZERO: i64 = -62_135_596_800;
    let moment: Timestamp = text.parse().ok()?;
    (moment.as_second() != ZERO).then_some(moment)
}
