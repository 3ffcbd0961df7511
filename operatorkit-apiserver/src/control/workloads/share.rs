//! Numbers that are written as such or as a share: `2`, `25%`.

use serde_json::Value;

/// The number that is meant, of `total`; a share is rounded up or down. Missing is 0.
pub(super) fn scaled(value: Option<&Value>, total: i64, up: bool) -> i64 {
    match value {
        Some(Value::Number(number)) => number.as_i64().unwrap_or_default(),
        Some(Value::String(text)) => match text.strip_suffix('%').and_then(|share| share.parse::<i64>().ok()) {
            Some(share) => {
                let hundredths = share.saturating_mul(total);
                if up {
                    hundredths.saturating_add(99) / 100
                } else {
                    hundredths / 100
                }
            }
            None => 0,
        },
        _ => 0,
    }
}
