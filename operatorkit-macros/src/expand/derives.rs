//! The usual derives, each unless it is derived below the attribute.

use quote::{format_ident, quote};
use syn::{Attribute, Fields, Item, Path, Token, parse_quote, punctuated::Punctuated};

use super::paths::{literal, private};

/// Puts `Clone`, `Debug`, `Serialize`, `Deserialize` and `JsonSchema` on an item, and the keys that they need.
pub(super) fn usual(root: &Path, item: &mut Item) {
    match item {
        Item::Struct(item) => {
            let rename = matches!(item.fields, Fields::Named(_)).then_some("rename_all");
            put(root, &mut item.attrs, rename);
        }
        Item::Enum(item) => {
            let has_fields = item
                .variants
                .iter()
                .any(|variant| matches!(variant.fields, Fields::Named(_)));
            put(root, &mut item.attrs, has_fields.then_some("rename_all_fields"));
        }
        _ => {}
    }
}

/// The same on the attributes of an item. `rename` is serde's key for the names of fields.
pub(super) fn put(root: &Path, attrs: &mut Vec<Attribute>, rename: Option<&str>) {
    let private = private(root);
    let derived = derived(attrs);
    let usual = [
        ("Clone", quote!(::core::clone::Clone)),
        ("Debug", quote!(::core::fmt::Debug)),
        ("Serialize", quote!(#private::serde::Serialize)),
        ("Deserialize", quote!(#private::serde::Deserialize)),
        ("JsonSchema", quote!(#private::schemars::JsonSchema)),
    ];
    let missing = usual
        .into_iter()
        .filter(|(name, _)| !derived.iter().any(|derived| derived == name));
    let paths: Vec<_> = missing.map(|(_, path)| path).collect();
    if !paths.is_empty() {
        attrs.insert(0, parse_quote!(#[derive(#(#paths),*)]));
    }
    // The keys go last: those of a derive stand behind it. Derives that stand below need them as much.
    for name in ["serde", "schemars"] {
        if !says(attrs, name, "crate") {
            let (name, path) = (format_ident!("{name}"), literal(root, name));
            attrs.push(parse_quote!(#[#name(crate = #path)]));
        }
    }
    if let Some(rename) = rename.filter(|rename| !says(attrs, "serde", rename)) {
        let rename = format_ident!("{rename}");
        attrs.push(parse_quote!(#[serde(#rename = "camelCase")]));
    }
}

/// The last names of what is derived on an item.
fn derived(attrs: &[Attribute]) -> Vec<String> {
    let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let lists = derives.filter_map(|attr| {
        attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
            .ok()
    });
    lists
        .flatten()
        .filter_map(|path| Some(path.segments.last()?.ident.to_string()))
        .collect()
}

/// Whether an attribute of this name has this key.
fn says(attrs: &[Attribute], name: &str, key: &str) -> bool {
    let of_name = attrs.iter().filter(|attr| attr.path().is_ident(name));
    let lists = of_name.filter_map(|attr| attr.meta.require_list().ok());
    lists
        .flat_map(|list| crate::syntax::entries(list.tokens.clone()).0)
        .any(|entry| entry.name() == key)
}
