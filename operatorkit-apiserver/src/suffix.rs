//! The suffixes of quantities (`k8s.io/apimachinery/pkg/api/resource/suffix.go`): what they multiply with.

/// Said of a text that is no quantity.
pub(crate) const WRONG_FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/// What a suffix multiplies with, and how the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// `m`, `k`, `M`: a power of ten.
    Decimal(i32),
    /// `Ki`, `Mi`: a power of two.
    Binary(u32),
    /// `e3`: a power of ten.
    Exponent(i32),
}

const DECIMAL: [(&str, i32); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

/// The binary suffixes; each is 1024 times the one before.
pub(crate) const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// What a suffix says; `None` if it is none.
pub(crate) fn scale(suffix: &str) -> Option<Scale> {
    if let Some((_, exponent)) = DECIMAL.iter().find(|(it, _)| *it == suffix) {
        return Some(Scale::Decimal(*exponent));
    }
    if let Some((power, _)) = (1..).zip(BINARY).find(|(_, it)| *it == suffix) {
        return Some(Scale::Binary(10 * power));
    }
    suffix.strip_prefix(['e', 'E'])?.parse().ok().map(Scale::Exponent)
}

/// The suffix of a power of ten. A power without one is written without, as the real server does it.
pub(crate) fn decimal(exponent: i32) -> &'static str {
    DECIMAL
        .iter()
        .find(|(_, it)| *it == exponent)
        .map_or("", |(suffix, _)| suffix)
}
