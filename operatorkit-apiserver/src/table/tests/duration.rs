//! Ages in each of the forms that they have.

use super::at;
use crate::table::duration::{between, human, since};

#[test]
fn two_units_at_most() {
    let (minute, hour, day, year) = (60, 3600, 86_400, 31_536_000);
    for (seconds, shown) in [
        (-3, "<invalid>"),
        (-2, "<invalid>"),
        (-1, "0s"),
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (121, "2m1s"),
        (599, "9m59s"),
        (600, "10m"),
        (3 * hour - 1, "179m"),
        (3 * hour, "3h"),
        (3 * hour + minute, "3h1m"),
        (8 * hour - 1, "7h59m"),
        (8 * hour, "8h"),
        (48 * hour - 1, "47h"),
        (48 * hour, "2d"),
        (49 * hour, "2d1h"),
        (8 * day - 1, "7d23h"),
        (8 * day, "8d"),
        (2 * year - 1, "729d"),
        (2 * year, "2y"),
        (2 * year + day, "2y1d"),
        (8 * year - 1, "7y364d"),
        (8 * year, "8y"),
        (i64::MAX, "292y"),
        (i64::MIN, "<invalid>"),
    ] {
        assert_eq!(human(seconds), shown, "{seconds}");
    }
}

#[test]
fn from_one_moment_to_another() {
    assert_eq!(between(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:59.9Z")), "59s");
    assert_eq!(between(at("2026-01-01T00:00:01.9Z"), at("2026-01-01T00:00:00Z")), "0s");
    assert_eq!(since(None, at("2026-01-01T00:00:00Z")), "<unknown>");
    assert_eq!(
        since(Some("0001-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z")),
        "<unknown>"
    );
}
