//! The rules of `reads(..)`.

use std::collections::BTreeSet;

use quote::ToTokens as _;
use syn::{Ident, Type};

use crate::{
    diagnostics::Diagnostics,
    model::Reading,
    syntax::{Entry, Value, pieces},
};

/// What the entries name, each kind once.
pub(super) fn reads(entries: &[Entry], errors: &Diagnostics) -> Vec<Reading> {
    let mut texts = BTreeSet::new();
    let mut all = Vec::new();
    for entry in entries.iter().filter(|entry| entry.name() == "reads") {
        let Some(reading) = reading(entry, errors) else {
            continue;
        };
        if texts.insert(reading.kind.to_token_stream().to_string()) {
            all.push(reading);
        } else {
            errors.error(
                &reading.kind,
                "this kind is read twice: remove one of the two `reads(..)`",
            );
        }
    }
    all
}

/// Rule: `reads` names one kind, and says perhaps that it is read in any namespace.
fn reading(entry: &Entry, errors: &Diagnostics) -> Option<Reading> {
    let parts = match &entry.value {
        Value::List(list) => pieces(list.clone()),
        Value::Flag | Value::Is(_) => Vec::new(),
    };
    let kind = parts.first().and_then(|kind| syn::parse2::<Type>(kind.clone()).ok());
    let any_namespace = match &parts[..] {
        [_] => Some(false),
        [_, word] => syn::parse2::<Ident>(word.clone())
            .is_ok_and(|word| word == "any_namespace")
            .then_some(true),
        _ => None,
    };
    let (Some(kind), Some(any_namespace)) = (kind, any_namespace) else {
        errors.error(
            entry.value_or_key(),
            "`reads` names one kind: `reads(Secret)`, in the object's namespace, or `reads(Secret, any_namespace)`; it may be repeated",
        );
        return None;
    };
    Some(Reading { kind, any_namespace })
}
