//! Times, and the form that is stored (`metav1.Time`, `metav1.MicroTime`).

use jiff::{Timestamp, tz::Offset};

/// Parses an RFC 3339 time.
pub fn parse(text: &str) -> Option<Timestamp> {
    // jiff takes more than RFC 3339: a space for the `T`, no seconds, named zones.
    let well = text.len() >= 20 && text.as_bytes().get(10) == Some(&b'T') && !text.contains('[');
    well.then(|| text.parse().ok()).flatten()
}

/// `metav1.Time`: UTC, whole seconds.
pub fn seconds(time: Timestamp) -> String {
    Offset::UTC.to_datetime(time).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// `metav1.MicroTime`: UTC, six digits of a second.
pub fn micros(time: Timestamp) -> String {
    Offset::UTC
        .to_datetime(time)
        .strftime("%Y-%m-%dT%H:%M:%S%.6fZ")
        .to_string()
}
