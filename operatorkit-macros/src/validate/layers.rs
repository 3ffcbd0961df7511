//! The rules of `layers(..)`.

use proc_macro2::TokenStream;
use syn::Expr;

use super::keys;
use crate::{
    diagnostics::Diagnostics,
    syntax::{Entry, Value, pieces},
};

/// The expressions of `layers(..)`; those that are no expressions are reported and left out. `None`: it is not said.
pub(super) fn layers(entries: &[Entry], errors: &Diagnostics) -> Option<Vec<Expr>> {
    let entry = keys::find(entries, "layers")?;
    let Value::List(list) = &entry.value else {
        let text = "`layers` needs a list, the outermost first: `layers(Trace, Retry::new(3))`";
        errors.error(entry.value_or_key(), text);
        return None;
    };
    let expression = |piece: TokenStream| {
        let expression = syn::parse2::<Expr>(piece.clone()).ok();
        if expression.is_none() {
            let text = "`layers(..)` needs expressions that make a layer each, such as `Retry::new(3)`";
            errors.error(piece, text);
        }
        expression
    };
    Some(pieces(list.clone()).into_iter().filter_map(expression).collect())
}
