//! What is emitted: the item as it was, with derives, and the impls. It never fails.

mod custom_resource;
mod derives;
mod layers;
mod operator;
mod paths;
mod policies;
mod reads;
mod resource;
mod rules;
mod succession;
#[cfg(test)]
mod tests;
mod yaml;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

pub(crate) use operator::operator;
pub(crate) use resource::resource;
#[cfg(feature = "yaml")]
pub(crate) use yaml::included;

use crate::{diagnostics::Diagnostics, model::Data};

/// Runs an attribute from source to tokens. The item comes out in any case.
pub(crate) fn run<M>(
    attribute: TokenStream,
    item: TokenStream,
    validate: impl FnOnce(TokenStream, Item, &Diagnostics) -> Result<M, TokenStream>,
    expand: impl FnOnce(M) -> TokenStream,
) -> TokenStream {
    let errors = Diagnostics::new();
    let expanded = match errors.take(syn::parse2::<Item>(item.clone())) {
        None => item,
        Some(item) => match validate(attribute, item, &errors) {
            Ok(model) => expand(model),
            Err(item) => item,
        },
    };
    let errors = errors.finish();
    quote!(#expanded #errors)
}

/// `#[data]`: the item with the usual derives.
pub(crate) fn data(model: Data) -> TokenStream {
    let Data {
        root,
        mut item,
        rules,
        reserved,
    } = model;
    let private = paths::private(&root);
    derives::usual(&root, &mut item);
    rules::put(&root, &mut item, &rules);
    // Only a status must not have such a field, and only `#[operator]` knows which type is one.
    let reserved = reserved.map(|(ident, field)| {
        quote! {
            #[automatically_derived]
            impl #private::check::Reserved for #ident {
                const FIELD: &'static str = #field;
            }
        }
    });
    quote!(#item #reserved)
}
