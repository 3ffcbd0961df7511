//! The order of versions: `v2` before `v1` before `v1beta1` before anything else (`k8s.io/apimachinery/pkg/version`).

use std::cmp::Ordering;

/// Compares two versions by how settled they are. What is no version comes before each version, in the order of the
/// alphabet, backwards.
pub fn compare(one: &str, other: &str) -> Ordering {
    match (parse(one), parse(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => other.cmp(one),
    }
}

/// How settled, then the major version, then the number behind `alpha` or `beta`.
fn parse(version: &str) -> Option<(u8, u64, u64)> {
    let rest = version.strip_prefix('v')?;
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let major = number(&rest[..end])?;
    let rest = &rest[end..];
    if rest.is_empty() {
        return Some((2, major, 0));
    }
    let (level, minor) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
        (Some(minor), _) => (0, minor),
        (None, Some(minor)) => (1, minor),
        (None, None) => return None,
    };
    Some((level, major, number(minor)?))
}

fn number(text: &str) -> Option<u64> {
    text.parse()
        .ok()
        .filter(|it| *it > 0 && !text.starts_with('0') && !text.starts_with('+'))
}
