//! The rules of `selector`: a label selector as `kubectl get -l` takes it (apimachinery, `labels.Parse`), or the word `all`.

use syn::LitStr;

use super::{keys, values};
use crate::{
    diagnostics::Diagnostics,
    model::Selector,
    names::{is_dns_label, is_label_value},
    syntax::{Entry, Value},
};

/// What `selector` says, if it stands.
pub(super) fn selector(entries: &[Entry], errors: &Diagnostics) -> Option<Selector> {
    let entry = keys::find(entries, "selector")?;
    if values::word(entry).as_deref() == Some("all") {
        return Some(Selector::All);
    }
    let text = match &entry.value {
        Value::Is(value) => syn::parse2::<LitStr>(value.clone())
            .ok()
            .filter(|text| requirements(&text.value()).all(is_requirement)),
        Value::Flag | Value::List(_) => None,
    };
    if text.is_none() {
        errors.error(
            entry.value_or_key(),
            "`selector` needs a label selector, as `kubectl get -l` takes it, or the word `all` without quotes: `selector = \"label=value\"`",
        );
    }
    text.map(Selector::Labels)
}

/// What stands between the commas that are not in parentheses.
fn requirements(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |char| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        char == ',' && depth == 0
    })
}

fn is_requirement(text: &str) -> bool {
    let text = text.trim();
    if let Some(key) = text.strip_prefix('!') {
        return is_key(key.trim());
    }
    if let Some((key, value)) = ["!=", "==", "="].iter().find_map(|operator| text.split_once(operator)) {
        return is_key(key.trim()) && is_value(value.trim());
    }
    if let Some((key, number)) = text.split_once(['<', '>']) {
        return is_key(key.trim()) && number.trim().parse::<i64>().is_ok();
    }
    let Some((key, set)) = text.split_once(char::is_whitespace) else {
        return is_key(text);
    };
    let set = set.trim_start();
    let set = set
        .strip_prefix("notin")
        .or_else(|| set.strip_prefix("in"))
        .map(str::trim);
    let values = set.and_then(|set| set.strip_prefix('(')?.strip_suffix(')'));
    is_key(key) && values.is_some_and(|values| values.split(',').all(|value| is_value(value.trim())))
}

/// A label key: a name of at most 63 characters, with a domain and a slash before it or not.
fn is_key(key: &str) -> bool {
    let (domain, name) = key
        .split_once('/')
        .map_or((None, key), |(domain, name)| (Some(domain), name));
    is_label_value(name, 63) && domain.is_none_or(|domain| domain.len() <= 253 && domain.split('.').all(is_dns_label))
}

fn is_value(value: &str) -> bool {
    value.is_empty() || is_label_value(value, 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_selector(text: &str) -> bool {
        requirements(text).all(is_requirement)
    }

    #[test]
    fn what_kubectl_takes_is_taken() {
        for good in [
            "a=b",
            "a==b",
            "a!=b",
            "a",
            "!a",
            "a in (b, c)",
            "a notin (b),c=d",
            "demo.example.com/a = b",
            "a=",
            "n>1",
            "a in(b)",
        ] {
            assert!(is_selector(good), "{good}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for bad in [
            "",
            "a=b,",
            "a b",
            "a=b c",
            "=b",
            "a in b",
            "a in (b",
            "a/b/c=d",
            "-a=b",
            "n>x",
            "all objects",
        ] {
            assert!(!is_selector(bad), "{bad}");
        }
    }
}
