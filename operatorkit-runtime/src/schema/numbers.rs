//! Integers: their real bounds, and the formats that Kubernetes knows.

use serde_json::{Map, Value};

/// What Rust's integers are in a schema: the format, and the bounds that it does not imply. The API server keeps no integer of more than 64 bits
/// with a sign.
fn integer(format: &str) -> Option<(&'static str, Option<i64>, Option<i64>)> {
    Some(match format {
        "int8" => ("int32", Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => ("int32", Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => ("int32", None, None),
        "int" | "int64" | "int128" => ("int64", None, None),
        "uint8" => ("int32", Some(0), Some(u8::MAX.into())),
        "uint16" => ("int32", Some(0), Some(u16::MAX.into())),
        "uint32" => ("int64", Some(0), Some(u32::MAX.into())),
        "uint" | "uint64" | "uint128" => ("int64", Some(0), None),
        _ => return None,
    })
}

/// Formats of strings that the API server knows under this name, but reads otherwise than Rust's types do: Go's durations.
const OTHERWISE: [&str; 1] = ["duration"];

/// Gives a place the format of its kind, and bounds where it has none that are narrower.
pub(super) fn put(checks: &mut Map<String, Value>, format: &str) {
    if OTHERWISE.contains(&format) {
        return;
    }
    let Some((format, minimum, maximum)) = integer(format) else {
        checks.insert("format".to_owned(), format.into());
        return;
    };
    checks.insert("format".to_owned(), format.into());
    for (key, bound) in [("minimum", minimum), ("maximum", maximum)] {
        if let Some(bound) = bound {
            checks.entry(key).or_insert_with(|| bound.into());
        }
    }
}
