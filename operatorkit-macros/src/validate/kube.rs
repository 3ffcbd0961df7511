//! The keys that go to kube's derive (kube 5, `CustomResource`): they must have the shape that it takes, since an error of its own leaves
//! nothing of the kind.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitBool, LitStr, Meta, Path, Token, parse::Parser as _, punctuated::Punctuated};

use super::{kube_lists, values};
use crate::{
    diagnostics::Diagnostics,
    syntax::{Entry, Value},
};

/// The derives that are in scope everywhere.
const RUSTS_DERIVES: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// Keys of kube's that stand once at most; all that may be repeated are kube's, too.
pub(super) const ONCE: [&str; 7] = ["plural", "singular", "doc", "scale", "storage", "served", "deprecated"];

/// The entries as kube takes them, without those that were reported; of a key that stands twice the first.
pub(super) fn pass_through(all: &[Entry], errors: &Diagnostics) -> Vec<TokenStream> {
    let mut seen = BTreeSet::new();
    let first = all
        .iter()
        .filter(|entry| !ONCE.contains(&entry.name().as_str()) || seen.insert(entry.name()));
    first
        .filter(|entry| is_good(entry, errors))
        .map(|entry| match entry.name().as_str() {
            "derive" => derive(entry),
            _ => entry.tokens.clone(),
        })
        .collect()
}

/// A derive as it is called from the module that kube's derive is in, one further in.
fn derive(entry: &Entry) -> TokenStream {
    let Value::Is(value) = &entry.value else {
        return entry.tokens.clone();
    };
    let derived = syn::parse2::<LitStr>(value.clone()).and_then(|text| Ok((text.parse::<Path>()?, text)));
    match derived {
        Ok((path, text)) if is_nearby(&path) => {
            let (key, path) = (
                &entry.key,
                LitStr::new(&format!("super::{}", text.value()), text.span()),
            );
            quote!(#key = #path)
        }
        _ => entry.tokens.clone(),
    }
}

/// Whether a path begins in the user's module: `super::X`, or the one name of a derive that is not Rust's own.
fn is_nearby(path: &Path) -> bool {
    let ident = path.get_ident().map(ToString::to_string);
    let first = path.segments.first().map(|first| first.ident.to_string());
    match ident {
        Some(ident) => !RUSTS_DERIVES.contains(&ident.as_str()),
        None => first.is_some_and(|first| first == "super") && path.leading_colon.is_none(),
    }
}

/// Whether the key is kube's, and the entry as kube takes it.
fn is_good(entry: &Entry, errors: &Diagnostics) -> bool {
    match entry.name().as_str() {
        "plural" | "singular" | "shortname" | "category" => values::string(entry, "webapps", errors).is_some(),
        "doc" => values::string(entry, "A web application.", errors).is_some(),
        "selectable" => values::string(entry, ".spec.image", errors).is_some(),
        "derive" => parsed(
            entry,
            "PartialEq",
            "the path of a derive",
            syn::parse_str::<Path>,
            errors,
        ),
        "attr" => parsed(
            entry,
            "non_exhaustive",
            "an attribute without `#[..]`",
            syn::parse_str::<Meta>,
            errors,
        ),
        "storage" | "served" => switch(entry, errors),
        "deprecated" => matches!(entry.value, Value::Flag) || values::string(entry, "use v2", errors).is_some(),
        "annotation" | "label" => pair(entry, errors),
        "printcolumn" => kube_lists::column(entry, errors),
        "scale" => kube_lists::scale(entry, errors),
        _ => false,
    }
}

/// Rule: a string with Rust in it parses.
fn parsed<T>(
    entry: &Entry,
    example: &str,
    what: &str,
    parse: fn(&str) -> syn::Result<T>,
    errors: &Diagnostics,
) -> bool {
    let Some(text) = values::string(entry, example, errors) else {
        return false;
    };
    let good = parse(&text.value()).is_ok();
    if !good {
        errors.error(
            &text,
            format!("`{}` needs {what}: `{} = \"{example}\"`", entry.name(), entry.name()),
        );
    }
    good
}

/// Rule: a switch is `key`, `key = true` or `key = false`.
fn switch(entry: &Entry, errors: &Diagnostics) -> bool {
    let good = match &entry.value {
        Value::Flag => true,
        Value::Is(value) => syn::parse2::<LitBool>(value.clone()).is_ok(),
        Value::List(_) => false,
    };
    if !good {
        errors.error(
            entry.value_or_key(),
            format!("`{}` is `true` or `false`: `{} = false`", entry.name(), entry.name()),
        );
    }
    good
}

/// Rule: labels and annotations are pairs of strings.
fn pair(entry: &Entry, errors: &Diagnostics) -> bool {
    let good = match &entry.value {
        Value::List(list) => {
            let strings = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(list.clone());
            strings.is_ok_and(|strings| strings.len() == 2)
        }
        Value::Flag | Value::Is(_) => false,
    };
    if !good {
        errors.error(
            entry.value_or_key(),
            format!(
                "`{}` needs a key and a value: `{}(\"key\", \"value\")`",
                entry.name(),
                entry.name()
            ),
        );
    }
    good
}
