//! `layers(..)`: a stack of layers out of expressions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, spanned::Spanned as _};

use super::paths::{at, moved};

/// ```text
/// Layers::new().with(Trace).with(Retry::new(3))
/// ```
pub(super) fn layers(private: &TokenStream, layers: &[Expr]) -> TokenStream {
    let with = layers.iter().map(|layer| {
        let with = moved(&quote!(.with), layer.span());
        quote_spanned!(at(layer.span())=> #with(#layer))
    });
    quote!(#private::Layers::new()#(#with)*)
}
