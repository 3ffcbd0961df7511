//! `#[resource]`: the struct as it was, and its place in the graph.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::{
    paths::{at, moved, private},
    policies::policies,
    reads, yaml,
};
use crate::model::Resource;

/// ```text
/// pub struct Web;
/// impl ::operatorkit::__private::Node for Web {
///     const NAME: &'static str = "web";
///     const META: Meta = Meta::new(Self::NAME).order(2).delete_order(1).after(&[<Network as Node>::NAME]);
/// }
/// impl ::operatorkit::__private::After<Network> for Web {}
/// impl ::operatorkit::__private::Reads<Secret> for Web {}       // and `fn reads()` in `Node`: `reads.rs`
/// impl ::operatorkit::__private::FromYaml for Web { .. }        // with `yaml`: `yaml.rs`
/// const _: () = ::operatorkit::__private::check::after(&<Web as Node>::META, &<Network as Node>::META);
/// ```
pub(crate) fn resource(model: Resource) -> TokenStream {
    let Resource {
        root,
        item,
        ident,
        name,
        order,
        delete_order,
        after,
        delete_after,
        any_namespace,
        manual_recovery,
        policies: said,
        layers,
        reads,
        yaml,
        generics,
    } = model;
    let private = private(&root);
    let number = |key: TokenStream, number: i64| {
        let number = Literal::i64_unsuffixed(number);
        quote!(.#key(#number))
    };
    let order = order.map(|order| number(quote!(order), order));
    let delete_order = delete_order.map(|order| number(quote!(delete_order), order));
    let any_namespace = any_namespace.then(|| quote!(.any_namespace()));
    let manual_recovery = manual_recovery.then(|| quote!(.manual_recovery()));
    let policies = policies(&private, &said);
    let layers = layers.map(|layers| {
        let layers = super::layers::layers(&private, &layers);
        quote! {
            fn layers() -> ::core::option::Option<#private::Layers> {
                ::core::option::Option::Some(#layers)
            }
        }
    });
    let names = |key: TokenStream, paths: &[syn::Path]| {
        (!paths.is_empty()).then(|| quote!(.#key(&[#(<#paths as #private::Node>::NAME),*])))
    };
    let (after_names, delete_names) = (names(quote!(after), &after), names(quote!(delete_after), &delete_after));
    // With generics, which were reported, the impls stand all the same; the checks have nothing to look at.
    let concrete = generics.params.is_empty();
    let (impl_generics, type_generics, _) = generics.split_for_impl();
    let bound = (!concrete).then(|| quote!(where Self: ::core::marker::Send + ::core::marker::Sync + 'static));
    let check = |rule: &str, path: &syn::Path| {
        let (private, rule) = (moved(&private, path.span()), Ident::new(rule, at(path.span())));
        quote_spanned! {at(path.span())=>
            const _: () = #private::check::#rule(&<#ident as #private::Node>::META, &<#path as #private::Node>::META);
        }
    };
    let checks = after.iter().filter(|_| concrete).map(|path| check("after", path));
    let delete_checks = delete_after
        .iter()
        .filter(|_| concrete)
        .map(|path| check("delete_after", path));
    let (reads_list, reads_impls) = reads::reads(&private, &reads, &ident, &generics);
    // Without the feature there is no such trait; the key was reported.
    let yaml = yaml
        .filter(|_| cfg!(feature = "yaml"))
        .map(|files| yaml::resource(&private, &files, &ident, &generics));
    quote! {
        #item
        #[automatically_derived]
        impl #impl_generics #private::Node for #ident #type_generics #bound {
            const NAME: &'static str = #name;
            const META: #private::Meta = #private::Meta::new(Self::NAME)
                #order #delete_order #after_names #delete_names #any_namespace #manual_recovery #policies;
            #layers
            #reads_list
        }
        #(#[automatically_derived] impl #impl_generics #private::After<#after> for #ident #type_generics {})*
        #reads_impls
        #yaml
        #(#checks)*
        #(#delete_checks)*
    }
}
