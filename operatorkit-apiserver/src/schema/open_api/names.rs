//! How requests are named.

use crate::schema::GroupVersionKind;

/// `rbacAuthorization_v1`.
pub(super) fn tag(kind: &GroupVersionKind) -> String {
    let mut words = group_words(kind);
    let first = words.next().unwrap_or_default().to_owned();
    let rest: String = words.map(capital).collect();
    format!("{first}{rest}_{}", kind.version)
}

/// The words of a group: `rbac`, `authorization`.
pub(super) fn group_words(kind: &GroupVersionKind) -> impl Iterator<Item = &str> {
    let group = kind.group.strip_suffix(".k8s.io").unwrap_or(&kind.group);
    let group = if group.is_empty() { "core" } else { group };
    group.split(['.', '-']).filter(|word| !word.is_empty())
}

/// With a capital letter first.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
