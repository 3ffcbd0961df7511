//! What an operator succeeds to: a constant for each key that is said.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Succession;

/// ```text
/// const FORMERLY: &'static [&'static str] = &["old-name"];
/// const LEGACY_FINALIZERS: &'static [&'static str] = &["operatorkit.giantswarm.io/webapp"];
/// const ORPHANS: Orphans = Orphans::Delete;
/// ```
pub(super) fn succession(private: &TokenStream, said: &Succession) -> TokenStream {
    let Succession {
        formerly,
        legacy_finalizers,
        delete_orphans,
    } = said;
    let formerly = (!formerly.is_empty()).then(|| quote!(const FORMERLY: &'static [&'static str] = &[#(#formerly),*];));
    let legacy_finalizers = (!legacy_finalizers.is_empty())
        .then(|| quote!(const LEGACY_FINALIZERS: &'static [&'static str] = &[#(#legacy_finalizers),*];));
    let orphans = delete_orphans.then(|| quote!(const ORPHANS: #private::Orphans = #private::Orphans::Delete;));
    quote!(#formerly #legacy_finalizers #orphans)
}
