//! The one place that knows where operatorkit is.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{LitStr, Path};

/// What generated code calls.
pub(super) fn private(root: &Path) -> TokenStream {
    quote!(#root::__private)
}

/// The text of a path or type, without the spaces that are not needed.
pub(super) fn text(tokens: impl ToTokens) -> String {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut text = String::new();
    for part in tokens.to_token_stream().to_string().split_whitespace() {
        if text.ends_with(is_word) && part.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// Whether a path means the same in every module.
pub(super) fn is_absolute(path: &Path) -> bool {
    path.leading_colon.is_some() || path.segments.first().is_some_and(|first| first.ident == "crate")
}

/// A path below `__private` as the string that the `crate` keys of derives want.
pub(super) fn literal(root: &Path, below: &str) -> LitStr {
    LitStr::new(&format!("{}::__private::{below}", text(root)), Span::call_site())
}

/// Tokens in another place: an error on an expression spans from its first token to its last, so all of them must be there.
pub(super) fn moved(tokens: &TokenStream, place: Span) -> TokenStream {
    let moved = tokens.clone().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    moved.collect()
}

/// Where the user wrote something, in our own hygiene: errors point there, the user's lints do not.
pub(super) fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}
