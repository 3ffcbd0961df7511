//! The rules of `#[resource]`.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::{Item, Path};

use super::{
    contradictions::contradictions,
    item::{is_struct, no_generics, type_parts},
    keys,
    layers::layers,
    policies::policies,
    reads::reads,
    values,
    yaml::yaml,
};
use crate::{
    diagnostics::Diagnostics,
    model::Resource,
    names::{is_dns_label, kebab, plain, suggestion},
    syntax::{Entry, Value, entries},
};

/// Judges `#[resource]`. `Err`: the item, if there is nothing that could be made of it.
pub(crate) fn resource(attribute: TokenStream, item: Item, errors: &Diagnostics) -> Result<Resource, TokenStream> {
    let (entries, odd) = entries(attribute);
    odd.into_iter().for_each(|error| errors.add(error));
    keys::check(&entries, keys::RESOURCE, "", errors);
    contradictions(&entries, errors);
    let root = values::root(&entries, errors);
    is_struct(&item, "resource", errors);
    let Some((ident, generics, _)) = type_parts(&item) else {
        return Err(item.into_token_stream());
    };
    let (ident, generics) = (ident.clone(), generics.clone());
    no_generics(&generics, "resource", errors);
    let number = |key| keys::find(&entries, key).and_then(|entry| values::number(entry, errors));
    let paths = |key| {
        keys::find(&entries, key)
            .map(|entry| edges(entry, &ident, errors))
            .unwrap_or_default()
    };
    let delete_after = paths("delete_after");
    let deletion = ["delete_order", "delete_after"];
    // A place that is only half written, or mistyped, is a place, so that no second error says that there is none.
    let meant = |entry: &Entry| suggestion(&entry.name(), &deletion).is_some();
    let half_written = delete_after.is_empty() && entries.iter().any(meant);
    Ok(Resource {
        root,
        name: name(&entries, &ident, errors),
        order: number("order"),
        delete_order: number("delete_order").or(half_written.then_some(i64::MIN)),
        after: paths("after"),
        delete_after,
        any_namespace: any_namespace(&entries, errors),
        manual_recovery: manual_recovery(&entries, errors),
        policies: policies(&entries, errors),
        layers: layers(&entries, errors),
        reads: reads(&entries, errors),
        yaml: yaml(&entries, &item, errors),
        ident,
        generics,
        item,
    })
}

/// Rules: an edge names at least one other resource, none of them twice, and not this one.
fn edges(entry: &Entry, ident: &Ident, errors: &Diagnostics) -> Vec<Path> {
    let mut texts = BTreeSet::new();
    let mut paths = Vec::new();
    for path in values::paths(entry, errors) {
        if path.is_ident(ident) {
            errors.error(
                &path,
                format!(
                    "`{}` cannot wait for itself: remove it from `{}(..)`",
                    plain(ident),
                    entry.name()
                ),
            );
        } else if !texts.insert(path.to_token_stream().to_string()) {
            errors.error(
                &path,
                format!("`{}(..)` names this resource twice: remove one of them", entry.name()),
            );
        } else {
            paths.push(path);
        }
    }
    if matches!(&entry.value, Value::List(list) if list.is_empty()) {
        errors.error(
            &entry.key,
            format!("`{}()` names no resource: name one, or remove it", entry.name()),
        );
    }
    paths
}

/// Rule: a name is a DNS label (RFC 1123), so that it fits into a label value and a status.
fn name(entries: &[Entry], ident: &Ident, errors: &Diagnostics) -> String {
    let own = kebab(&plain(ident));
    let Some(entry) = keys::find(entries, "name") else {
        if !is_dns_label(&own) {
            let text = format!(
                "the name `{own}` made from this one is not a DNS label of at most 63 characters: set `name = \"..\"` in the #[resource(..)]"
            );
            errors.error(ident, text);
        }
        return own;
    };
    let Some(name) = values::string(entry, "web", errors) else {
        return own;
    };
    if !is_dns_label(&name.value()) {
        errors.error(&name, "a resource's name is a DNS label: at most 63 of `a-z`, `0-9` and `-`, beginning and ending with one of the former");
    }
    name.value()
}

/// Rule: `namespaces` has one value.
fn any_namespace(entries: &[Entry], errors: &Diagnostics) -> bool {
    let Some(entry) = keys::find(entries, "namespaces") else {
        return false;
    };
    let any = values::word(entry).as_deref() == Some("any");
    if !any {
        errors.error(
            entry.value_or_key(),
            "`namespaces` has one value: `namespaces = any`; without it children stay in the object's namespace",
        );
    }
    any
}

/// Rule: `recover` has one value.
fn manual_recovery(entries: &[Entry], errors: &Diagnostics) -> bool {
    let Some(entry) = keys::find(entries, "recover") else {
        return false;
    };
    match values::string(entry, "manual", errors) {
        Some(value) if value.value() == "manual" => true,
        Some(value) => {
            errors.error(
                value,
                "`recover` has one value: `recover = \"manual\"`; without it the provider is asked with `find`",
            );
            false
        }
        None => false,
    }
}
