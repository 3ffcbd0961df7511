//! Files of YAML: what reads them, and the impl of a resource that is nothing but files.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

use crate::model::Files;
#[cfg(feature = "yaml")]
use crate::{diagnostics::Diagnostics, validate};

/// ```text
/// impl FromYaml for Web {
///     fn yaml() -> &'static Yaml {
///         static YAML: Yaml = Yaml::included(&[("web.yaml", include_str!("web.yaml"))]);
///         &YAML
///     }
/// }
/// ```
pub(super) fn resource(private: &TokenStream, files: &Files, ident: &Ident, generics: &Generics) -> TokenStream {
    let (impl_generics, type_generics, _) = generics.split_for_impl();
    let yaml = yaml(private, files);
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::FromYaml for #ident #type_generics {
            fn yaml() -> &'static #private::Yaml {
                static YAML: #private::Yaml = #yaml;
                &YAML
            }
        }
    }
}

/// `yaml!("web.yaml")`: the expression that the static above is made by.
#[cfg(feature = "yaml")]
pub(crate) fn included(arguments: TokenStream) -> TokenStream {
    let errors = Diagnostics::new();
    let (root, files) = validate::included(arguments, &errors);
    let yaml = yaml(&super::paths::private(&root), &files);
    let errors = errors.finish();
    quote!({ #errors #yaml })
}

/// The text goes through the compiler, so that it is compiled again when a file changes.
fn yaml(private: &TokenStream, Files { good }: &Files) -> TokenStream {
    quote!(#private::Yaml::included(&[#((#good, ::core::include_str!(#good))),*]))
}
