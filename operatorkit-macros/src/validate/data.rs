//! The rules of `#[data]`.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Attribute, Field, Fields, Item};

use super::{
    item::no_generics,
    keys,
    rules::{Place, rules},
    values,
};
use crate::{
    diagnostics::Diagnostics,
    model::Data,
    names::{camel, plain},
    syntax::{Entry, Value, entries},
};

/// The names of ours in a status (`operatorkit::Status`), which its user's fields are flattened into.
const RESERVED: [&str; 4] = ["observedGeneration", "conditions", "resources", "operatorkit"];

/// Judges `#[data]`. `Err`: the item, if there is nothing that could be made of it.
pub(crate) fn data(attribute: TokenStream, mut item: Item, errors: &Diagnostics) -> Result<Data, TokenStream> {
    let (entries, odd) = entries(attribute);
    odd.into_iter().for_each(|error| errors.add(error));
    keys::check(&entries, keys::DATA, "", errors);
    let root = values::root(&entries, errors);
    let (rules, _) = rules(&entries, Place::Type, &mut item, errors);
    let (generics, reserved) = match &item {
        Item::Struct(item) => (
            &item.generics,
            reserved(&item.attrs, &item.fields).map(|field| (item.ident.clone(), field)),
        ),
        Item::Enum(item) => (&item.generics, None),
        _ => {
            errors.error(&item, "#[data] goes on a struct or an enum");
            return Err(item.into_token_stream());
        }
    };
    // Without the impl, which has no room for them.
    let reserved = if no_generics(generics, "data", errors) {
        reserved
    } else {
        None
    };
    Ok(Data {
        root,
        item,
        rules,
        reserved,
    })
}

/// The field that is not allowed if the type turns out to be a status.
fn reserved(attrs: &[Attribute], fields: &Fields) -> Option<String> {
    let rule = said(attrs, "rename_all").unwrap_or_else(|| "camelCase".to_owned());
    let names = fields.iter().filter_map(|field| json_name(field, &rule));
    names.into_iter().find(|name| RESERVED.contains(&name.as_str()))
}

/// A field's name in JSON, as far as it can be one of ours: those hold small letters and one hump.
fn json_name(field: &Field, rule: &str) -> Option<String> {
    let name = plain(field.ident.as_ref()?);
    said(&field.attrs, "rename").or_else(|| match rule {
        "camelCase" => Some(camel(&name)),
        "UPPERCASE" | "PascalCase" | "SCREAMING_SNAKE_CASE" | "SCREAMING-KEBAB-CASE" => None,
        _ => Some(name),
    })
}

/// The string of a key of serde's.
fn said(attrs: &[Attribute], key: &str) -> Option<String> {
    let serde = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("serde"))
        .filter_map(|attr| attr.meta.require_list().ok());
    let mut all = serde.flat_map(|list| entries(list.tokens.clone()).0);
    let Entry {
        value: Value::Is(value),
        ..
    } = all.find(|entry| entry.name() == key)?
    else {
        return None;
    };
    syn::parse2::<syn::LitStr>(value).ok().map(|text| text.value())
}
