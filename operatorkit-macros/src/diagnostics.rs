//! Collects errors, so that all of an attribute's mistakes are reported at once.

use std::{cell::RefCell, fmt::Display, thread};

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors of one attribute. It must be read with [`finish`](Self::finish): an error that nobody sees is none.
pub(crate) struct Diagnostics(RefCell<Option<Vec<syn::Error>>>);

impl Diagnostics {
    pub(crate) fn new() -> Self {
        Self(RefCell::new(Some(Vec::new())))
    }

    /// An error on these tokens.
    pub(crate) fn error(&self, on: impl ToTokens, text: impl Display) {
        self.add(syn::Error::new_spanned(on, text));
    }

    pub(crate) fn add(&self, error: syn::Error) {
        if let Some(errors) = self.0.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    /// The value, or `None` and an error.
    pub(crate) fn take<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// All errors as tokens; empty if there is none.
    pub(crate) fn finish(self) -> TokenStream {
        let errors = self.0.borrow_mut().take().unwrap_or_default();
        errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        let unread = self.0.borrow().is_some() && !thread::panicking();
        assert!(!unread, "diagnostics were dropped unread; please report this");
    }
}
