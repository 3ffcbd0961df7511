//! Values of keys: literals, paths, lists, flags.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    LitInt, LitStr, Path, Token, Type,
    parse::{ParseStream, Parser as _},
};

use crate::{
    diagnostics::Diagnostics,
    syntax::{Entry, Value, pieces},
};

/// The string of `key = ".."`.
pub(super) fn string(entry: &Entry, example: &str, errors: &Diagnostics) -> Option<LitStr> {
    let text = || format!("`{}` needs a string: `{} = \"{example}\"`", entry.name(), entry.name());
    match &entry.value {
        Value::Is(value) => match syn::parse2::<LitStr>(value.clone()) {
            Ok(value) if value.value().trim().is_empty() => {
                errors.error(&value, format!("`{}` must not be empty", entry.name()));
                None
            }
            Ok(value) => Some(value),
            Err(_) => {
                errors.error(entry.value_or_key(), text());
                None
            }
        },
        Value::Flag | Value::List(_) => {
            errors.error(entry.value_or_key(), text());
            None
        }
    }
}

/// The number of `key = n`; a minus is allowed.
pub(super) fn number(entry: &Entry, errors: &Diagnostics) -> Option<i64> {
    let number = match &entry.value {
        Value::Is(value) => whole.parse2(value.clone()).ok(),
        Value::Flag | Value::List(_) => None,
    };
    if number.is_none() {
        errors.error(
            entry.value_or_key(),
            format!(
                "`{}` needs a whole number of 64 bits: `{} = 1`",
                entry.name(),
                entry.name()
            ),
        );
    }
    number
}

fn whole(input: ParseStream<'_>) -> syn::Result<i64> {
    let sign = if input.parse::<Option<Token![-]>>()?.is_some() {
        "-"
    } else {
        ""
    };
    let number: LitInt = input.parse()?;
    format!("{sign}{}", number.base10_digits())
        .parse()
        .map_err(|_| input.error("too large"))
}

/// The type of `key = Type`.
pub(super) fn type_(entry: &Entry, errors: &Diagnostics) -> Option<Type> {
    let type_ = match &entry.value {
        Value::Is(value) => syn::parse2(value.clone()).ok(),
        Value::Flag | Value::List(_) => None,
    };
    if type_.is_none() {
        errors.error(
            entry.value_or_key(),
            format!(
                "`{}` needs a type: `{} = SomeType`, without quotes",
                entry.name(),
                entry.name()
            ),
        );
    }
    type_
}

/// The paths of `key(A, B)`; those that are no paths are reported and left out.
pub(super) fn paths(entry: &Entry, errors: &Diagnostics) -> Vec<Path> {
    let name = entry.name();
    let needs_a_list = || {
        errors.error(
            entry.value_or_key(),
            format!("`{name}` needs a list: `{name}(First, Second)`"),
        );
    };
    let list = match &entry.value {
        Value::List(list) => list.clone(),
        Value::Flag => {
            needs_a_list();
            return Vec::new();
        }
        // What is meant by `after = First` is plain, and taken, so that this stays the only error.
        Value::Is(value) => {
            needs_a_list();
            return syn::parse2(value.clone()).into_iter().collect();
        }
    };
    let path = |piece: TokenStream| {
        let path = syn::parse2::<Path>(piece.clone()).ok();
        if path.is_none() {
            errors.error(
                piece,
                format!("`{name}(..)` needs the names of resource structs, such as `{name}(Network)`"),
            );
        }
        path
    };
    pieces(list).into_iter().filter_map(path).collect()
}

/// The strings of `key("a", "b")`, at least one; those that are no strings are reported and left out.
pub(super) fn strings(entry: &Entry, example: &str, errors: &Diagnostics) -> Vec<LitStr> {
    let text = || {
        format!(
            "`{}` needs a list of strings: `{}({example})`",
            entry.name(),
            entry.name()
        )
    };
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        Value::List(_) | Value::Flag | Value::Is(_) => {
            errors.error(entry.value_or_key(), text());
            return Vec::new();
        }
    };
    let string = |piece: TokenStream| {
        let string = syn::parse2::<LitStr>(piece.clone()).ok();
        if string.is_none() {
            errors.error(piece, text());
        }
        string
    };
    pieces(list).into_iter().filter_map(string).collect()
}

/// `crate = path`; `::operatorkit` where it is not said.
pub(super) fn root(entries: &[Entry], errors: &Diagnostics) -> Path {
    let default = || syn::parse2(quote!(::operatorkit)).expect("a path");
    let Some(entry) = entries.iter().find(|entry| entry.name() == "crate") else {
        return default();
    };
    let path = match &entry.value {
        Value::Is(value) => Path::parse_mod_style.parse2(value.clone()).ok(),
        Value::Flag | Value::List(_) => None,
    };
    path.unwrap_or_else(|| {
        errors.error(
            entry.value_or_key(),
            "`crate` needs a path: `crate = ::some::path::to::operatorkit`, without quotes",
        );
        default()
    })
}

/// A flag stands alone.
pub(super) fn flag(entry: &Entry, errors: &Diagnostics) -> bool {
    if !matches!(entry.value, Value::Flag) {
        errors.error(
            entry.value_or_key(),
            format!("`{}` stands alone, without a value", entry.name()),
        );
    }
    true
}

/// The one word of `key = word`.
pub(super) fn word(entry: &Entry) -> Option<String> {
    match &entry.value {
        Value::Is(value) => syn::parse2::<syn::Ident>(value.clone())
            .ok()
            .map(|word| word.to_string()),
        Value::Flag | Value::List(_) => None,
    }
}
