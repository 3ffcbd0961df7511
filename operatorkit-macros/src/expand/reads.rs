//! `reads(..)` of a resource: the list of kinds, and a trait for each.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, spanned::Spanned as _};

use super::paths::{at, moved};
use crate::model::Reading;

/// ```text
/// fn reads() -> Vec<Read> { vec![Read::of::<Secret>(), Read::anywhere::<Issuer>()] }      // in `Node`
///
/// impl Reads<Secret> for Web {}
/// const _: () = check::reads::<Secret>();                        // without `any_namespace`
/// impl Reads<Issuer> for Web {}
/// impl ReadsAnywhere<Issuer> for Web {}                          // with it
/// ```
pub(super) fn reads(
    private: &TokenStream,
    reads: &[Reading],
    ident: &Ident,
    generics: &Generics,
) -> (Option<TokenStream>, TokenStream) {
    let (impl_generics, type_generics, _) = generics.split_for_impl();
    let each = reads.iter().map(|Reading { kind, any_namespace }| {
        let how = if *any_namespace { quote!(anywhere) } else { quote!(of) };
        quote!(#private::Read::#how::<#kind>())
    });
    let list = quote! {
        fn reads() -> ::std::vec::Vec<#private::Read> {
            ::std::vec![#(#each),*]
        }
    };
    let impls = reads.iter().map(|Reading { kind, any_namespace }| {
        let there = moved(private, kind.span());
        let rest = if *any_namespace {
            quote! {
                #[automatically_derived]
                impl #impl_generics #private::ReadsAnywhere<#kind> for #ident #type_generics {}
            }
        } else {
            quote_spanned!(at(kind.span())=> const _: () = #there::check::reads::<#kind>();)
        };
        quote! {
            #[automatically_derived]
            impl #impl_generics #private::Reads<#kind> for #ident #type_generics {}
            #rest
        }
    });
    ((!reads.is_empty()).then_some(list), quote!(#(#impls)*))
}
