//! One `key`, `key = value` or `key(list)` of an attribute; half-written ones included.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;

use super::pieces;

/// One entry of an attribute.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
    /// The entry as it was written.
    pub(crate) tokens: TokenStream,
}

/// What follows a key.
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// What follows `=`; empty where it is not written yet.
    Is(TokenStream),
    /// What stands in the parentheses.
    List(TokenStream),
}

impl Entry {
    /// The key's text.
    pub(crate) fn name(&self) -> String {
        self.key.unraw().to_string()
    }

    /// What stands behind the key, for an error on it; the key where there is nothing.
    pub(crate) fn value_or_key(&self) -> TokenStream {
        match &self.value {
            Value::Is(value) | Value::List(value) if !value.is_empty() => value.clone(),
            _ => self.key.to_token_stream(),
        }
    }
}

/// The entries of an attribute, and an error for each piece that is none.
pub(crate) fn entries(attribute: TokenStream) -> (Vec<Entry>, Vec<syn::Error>) {
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    for piece in pieces(attribute) {
        match entry(piece) {
            Ok(entry) => entries.push(entry),
            Err(error) => errors.push(error),
        }
    }
    (entries, errors)
}

fn entry(tokens: TokenStream) -> syn::Result<Entry> {
    let not_an_entry = || syn::Error::new_spanned(&tokens, "expected `key`, `key = value` or `key(..)`");
    let mut piece = tokens.clone().into_iter();
    let Some(TokenTree::Ident(key)) = piece.next() else {
        return Err(not_an_entry());
    };
    let value = match piece.next() {
        None => Value::Flag,
        Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => Value::Is(piece.collect()),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis && piece.next().is_none() => {
            Value::List(group.stream())
        }
        Some(_) => return Err(not_an_entry()),
    };
    Ok(Entry { key, value, tokens })
}
