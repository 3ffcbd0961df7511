//! The item under an attribute: which shapes are taken.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident};
use syn::{Fields, Generics, Item, ItemStruct, Visibility, parse_quote};

use crate::{diagnostics::Diagnostics, names::plain};

/// Rule: no generics. A CRD, a node of a graph and a stored State each have one concrete type.
pub(super) fn no_generics(generics: &Generics, attribute: &str, errors: &Diagnostics) -> bool {
    if !generics.params.is_empty() {
        errors.error(
            generics,
            format!(
                "#[{attribute}] does not take generics: name concrete types, or hold what varies in a field such as \
                 `Arc<dyn Trait>`"
            ),
        );
    }
    generics.params.is_empty()
}

/// Rule: a struct. `Err`: the item, if it is not even a type.
pub(super) fn is_struct(item: &Item, attribute: &str, errors: &Diagnostics) -> bool {
    let is_struct = matches!(item, Item::Struct(_));
    if !is_struct {
        errors.error(name(item), format!("#[{attribute}] goes on a struct"));
    }
    is_struct
}

/// Rule: a spec has named fields, since it is an object in the API.
pub(super) fn named_fields(item: &ItemStruct, errors: &Diagnostics) {
    match &item.fields {
        Fields::Named(_) => {}
        Fields::Unnamed(fields) => {
            errors.error(
                fields,
                "a spec needs named fields: they are the fields of `spec` in the API",
            );
        }
        Fields::Unit => errors.error(
            &item.ident,
            "a spec needs named fields: write `{}` if it has none yet, or say `for = Type` to operate an existing kind",
        ),
    }
}

/// The parts of an item that is a type.
pub(super) fn type_parts(item: &Item) -> Option<(&Ident, &Generics, &Visibility)> {
    match item {
        Item::Struct(item) => Some((&item.ident, &item.generics, &item.vis)),
        Item::Enum(item) => Some((&item.ident, &item.generics, &item.vis)),
        Item::Union(item) => Some((&item.ident, &item.generics, &item.vis)),
        _ => None,
    }
}

/// An empty struct in place of one that was refused.
pub(super) fn stand_in(ident: &Ident, vis: &Visibility) -> ItemStruct {
    let ident = format_ident!("__{}", plain(ident));
    parse_quote!(#[doc(hidden)] #vis struct #ident {})
}

/// What an error about the whole item stands on.
fn name(item: &Item) -> TokenStream {
    match item {
        Item::Fn(item) => item.sig.ident.to_token_stream(),
        Item::Impl(item) => item.self_ty.to_token_stream(),
        item => match type_parts(item) {
            Some((ident, ..)) => ident.to_token_stream(),
            None => item.to_token_stream(),
        },
    }
}
