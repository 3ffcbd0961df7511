//! The rules of `field_selector`: as `kubectl get --field-selector` takes it (apimachinery, `fields.ParseSelector`), over fields that
//! the kind has.

use syn::LitStr;

use super::{keys, values};
use crate::{
    diagnostics::Diagnostics,
    names::suggestion,
    syntax::{Entry, Value},
};

/// What `field_selector` says, if it stands.
pub(super) fn field_selector(entries: &[Entry], errors: &Diagnostics) -> Option<LitStr> {
    let entry = keys::find(entries, "field_selector")?;
    let text = values::string(entry, "metadata.name=web", errors)?;
    let terms = terms(&text.value());
    let keys: Option<Vec<_>> = terms.iter().map(|term| key(term)).collect();
    let Some(keys) = keys else {
        errors.error(
            &text,
            "`field_selector` needs a field selector, as `kubectl get --field-selector` takes it: `field=value`, `field!=value`, joined by commas; \
             `,`, `=` and `\\` in a value are written with a `\\` before them",
        );
        return None;
    };
    if keys::find(entries, "for").is_none() {
        keys.iter().for_each(|key| is_selectable(key, &text, entries, errors));
    }
    Some(text)
}

/// Rule: of an own kind only its names and what `selectable` says can be selected by (`CustomResourceDefinition`, `selectableFields`).
fn is_selectable(key: &str, text: &LitStr, entries: &[Entry], errors: &Diagnostics) {
    let mut known = vec!["metadata.name".to_owned()];
    if keys::find(entries, "namespaced").is_some() {
        known.push("metadata.namespace".to_owned());
    }
    known.extend(
        entries
            .iter()
            .filter(|entry| entry.name() == "selectable")
            .filter_map(path),
    );
    if known.iter().any(|known| known == key) {
        return;
    }
    let names: Vec<_> = known.iter().map(String::as_str).collect();
    let meant = match suggestion(key, &names) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("add `selectable = \".{key}\"`, or use one of `{}`", names.join("`, `")),
    };
    errors.error(text, format!("the API server cannot select by `{key}`: {meant}"));
}

/// The field of `selectable = ".spec.color"`.
fn path(entry: &Entry) -> Option<String> {
    let Value::Is(value) = &entry.value else { return None };
    let text = syn::parse2::<LitStr>(value.clone()).ok()?.value();
    Some(text.trim_start_matches('.').to_owned())
}

/// What stands between the commas that have no `\` before them.
fn terms(text: &str) -> Vec<String> {
    let (mut terms, mut escaped) = (vec![String::new()], false);
    for char in text.chars() {
        if char == ',' && !escaped {
            terms.push(String::new());
            continue;
        }
        escaped = char == '\\' && !escaped;
        if let Some(last) = terms.last_mut() {
            last.push(char);
        }
    }
    terms
}

/// The field of a term; `None` if it is not one.
fn key(term: &str) -> Option<String> {
    let (key, rest) = term.split_once(['=', '!'])?;
    let operator = &term[key.len()..];
    let value = match operator.strip_prefix("!=").or_else(|| operator.strip_prefix("==")) {
        Some(value) => value,
        None if operator.starts_with('=') => rest,
        None => return None,
    };
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || "-_".contains(char))
    };
    (key.split('.').all(is_part) && is_value(value)).then(|| key.to_owned())
}

/// Whether a value is escaped as it must be.
fn is_value(value: &str) -> bool {
    let mut chars = value.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' if chars.next().is_some_and(|next| "\\,=".contains(next)) => {}
            '\\' | ',' | '=' => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys_of(text: &str) -> Option<Vec<String>> {
        terms(text).iter().map(|term| key(term)).collect()
    }

    #[test]
    fn what_kubectl_takes_is_taken() {
        for (good, keys) in [
            ("metadata.name=x", &["metadata.name"][..]),
            ("metadata.name==x,spec.color!=red", &["metadata.name", "spec.color"]),
            ("status.phase=", &["status.phase"]),
            (r"spec.text=a\,b\=c\\", &["spec.text"]),
        ] {
            assert_eq!(keys_of(good).as_deref().unwrap_or_default(), keys, "{good}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for bad in [
            "", "a", "a=b,", "a=b=c", "=b", "a!b", "a.=b", "a in (b)", r"a=b\c", ".a=b",
        ] {
            assert_eq!(keys_of(bad), None, "{bad}");
        }
    }
}
