//! The policies of a resource: one call each.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::model::{Policy, Propagation};

/// ```text
/// .keep().ready_within(::core::time::Duration::from_secs(600)).initial(&["/spec/replicas"])
/// ```
pub(super) fn policies(private: &TokenStream, policies: &[Policy]) -> TokenStream {
    policies.iter().map(|policy| call(private, policy)).collect()
}

fn call(private: &TokenStream, policy: &Policy) -> TokenStream {
    match policy {
        Policy::Keep => quote!(.keep()),
        Policy::Retired => quote!(.retired()),
        Policy::Optional => quote!(.optional()),
        Policy::Adopt => quote!(.adopt()),
        Policy::Recreate => quote!(.recreate()),
        Policy::ReadyWithin(seconds) => {
            let seconds = Literal::u64_unsuffixed(*seconds);
            quote!(.ready_within(::core::time::Duration::from_secs(#seconds)))
        }
        Policy::DeletePropagation(propagation) => {
            let propagation = match propagation {
                Propagation::Foreground => quote!(Foreground),
                Propagation::Background => quote!(Background),
                Propagation::Orphan => quote!(Orphan),
            };
            quote!(.delete_propagation(#private::Propagation::#propagation))
        }
        Policy::OwnerReference => quote!(.owner_reference()),
        Policy::Initial(pointers) => quote!(.initial(&[#(#pointers),*])),
    }
}
