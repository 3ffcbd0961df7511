//! The rules of `pause("key", "value")` and `paused_deletion`.

use syn::LitStr;

use super::{keys, values};
use crate::{
    diagnostics::Diagnostics,
    model::Pause,
    names::{is_dns_label, is_label_value},
    syntax::{Entry, Value, pieces},
};

/// What pauses, and what a pause holds up.
pub(super) fn pause(entries: &[Entry], errors: &Diagnostics) -> Pause {
    let mut pairs: Vec<(LitStr, LitStr)> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.name() == "pause") {
        let Some((key, value)) = pair(entry, errors) else {
            continue;
        };
        let same = |other: &&(LitStr, LitStr)| other.0.value() == key.value() && other.1.value() == value.value();
        if pairs.iter().find(same).is_some() {
            errors.error(&key, "this pair pauses already: remove one of them");
        }
        pairs.push((key, value));
    }
    Pause {
        pairs,
        deletion_proceeds: deletion_proceeds(entries, errors),
    }
}

/// Rule: a pair of strings, of which the first can be the key of an annotation.
fn pair(entry: &Entry, errors: &Diagnostics) -> Option<(LitStr, LitStr)> {
    let strings = match &entry.value {
        Value::List(list) => pieces(list.clone())
            .into_iter()
            .map(syn::parse2::<LitStr>)
            .collect::<Result<Vec<_>, _>>()
            .ok(),
        Value::Flag | Value::Is(_) => None,
    };
    let pair = strings.and_then(|strings| <[LitStr; 2]>::try_from(strings).ok());
    let Some([key, value]) = pair else {
        errors.error(
            entry.value_or_key(),
            "`pause` needs an annotation's key and the value that pauses: `pause(\"example.com/paused\", \"true\")`",
        );
        return None;
    };
    if !is_annotation_key(&key.value()) {
        errors.error(
            &key,
            "`pause`: an annotation's key is a name of at most 63 letters, digits, `-`, `_` and `.`, with a domain and a slash before it or not: \
             `example.com/paused`",
        );
        return None;
    }
    Some((key, value))
}

/// Rule: `paused_deletion` has one value, since the other is the default.
fn deletion_proceeds(entries: &[Entry], errors: &Diagnostics) -> bool {
    let Some(entry) = keys::find(entries, "paused_deletion") else {
        return false;
    };
    let Some(value) = values::string(entry, "proceed", errors) else {
        return false;
    };
    if value.value() != "proceed" {
        errors.error(
            &value,
            "`paused_deletion` is `\"proceed\"`, or is left out: then a paused object is not deleted",
        );
    }
    true
}

/// Whether it is an annotation's key (apimachinery, `ValidateAnnotations`: the case of the domain does not matter).
fn is_annotation_key(key: &str) -> bool {
    let (domain, name) = key
        .split_once('/')
        .map_or((None, key), |(domain, name)| (Some(domain), name));
    let is_domain = |domain: &str| domain.len() <= 253 && domain.to_lowercase().split('.').all(is_dns_label);
    is_label_value(name, 63) && domain.is_none_or(is_domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_annotations() {
        for good in ["paused", "example.com/paused", "Example.com/Is_Paused", "a/b"] {
            assert!(is_annotation_key(good), "{good}");
        }
        let long = format!("example.com/{}", "a".repeat(64));
        for bad in [
            "",
            "/paused",
            "example.com/",
            "a/b/c",
            "-a",
            "exa mple/a",
            "a..b/c",
            &long,
        ] {
            assert!(!is_annotation_key(bad), "{bad}");
        }
    }
}
