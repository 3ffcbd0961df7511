//! The rules of `#[operator]`.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens as _;
use syn::{Item, LitStr, Path, spanned::Spanned as _};

use super::{
    field_selector::field_selector,
    item::{is_struct, no_generics, stand_in, type_parts},
    keys,
    kind::kind,
    layers::layers,
    pause::pause,
    rules::{Place, rules},
    selector::selector,
    succession::succession,
    values,
};
use crate::{
    diagnostics::Diagnostics,
    model::{Listed, Operator},
    names::{field, is_label_value, plain},
    syntax::{Entry, Value, entries},
};

/// The longest operator name: `inventory.` and it make the part of an annotation key after the slash, of 63 characters.
pub(super) const NAME_MAX: usize = 53;

/// Judges `#[operator]`. `Err`: the item, if there is nothing that could be made of it.
pub(crate) fn operator(attribute: TokenStream, mut item: Item, errors: &Diagnostics) -> Result<Operator, TokenStream> {
    let (entries, odd) = entries(attribute);
    odd.into_iter().for_each(|error| errors.add(error));
    keys::check(&entries, keys::OPERATOR, "", errors);
    let root = values::root(&entries, errors);
    let (rules, about) = rules(&entries, Place::Operator, &mut item, errors);
    let is_struct = is_struct(&item, "operator", errors);
    let Some((ident, generics, vis)) = type_parts(&item) else {
        return Err(item.into_token_stream());
    };
    let (ident, stand_in) = (ident.clone(), stand_in(ident, vis));
    let concrete = no_generics(generics, "operator", errors);
    let (item, refused) = match item {
        Item::Struct(item) if is_struct && concrete => (item, None),
        refused => (stand_in, Some(refused)),
    };
    let kind = kind(&entries, &item, &ident, about, errors);
    let selector = selector(&entries, errors);
    let name = name(&entries, errors);
    let resources = resources(&entries, errors);
    Ok(Operator {
        value: value(&entries, &resources, errors),
        selector,
        field_selector: field_selector(&entries, errors),
        rules,
        succession: succession(&entries, name.as_ref(), errors),
        name,
        pause: pause(&entries, errors),
        graph: keys::find(&entries, "resources").map_or_else(Span::call_site, |entry| entry.key.span()),
        resources,
        layers: layers(&entries, errors),
        root,
        item,
        refused,
        kind,
    })
}

/// Rule: an operator's name is a label value that also fits into our annotation keys.
fn name(entries: &[Entry], errors: &Diagnostics) -> Option<LitStr> {
    let name = values::string(keys::find(entries, "name")?, "webapps.demo.example.com", errors)?;
    if !is_label_value(&name.value(), NAME_MAX) {
        let text = format!(
            "an operator's name is a label value of at most {NAME_MAX} characters: letters, digits, `-`, `_` and `.`, beginning and ending with a \
             letter or digit"
        );
        errors.error(&name, text);
    }
    Some(name)
}

/// Rule: what makes the value of a pass is a type whose field no resource has.
fn value(entries: &[Entry], resources: &[Listed], errors: &Diagnostics) -> Option<Listed> {
    let entry = keys::find(entries, "value")?;
    let path = match &entry.value {
        Value::Is(value) => syn::parse2::<Path>(value.clone()).ok(),
        Value::Flag | Value::List(_) => None,
    };
    let Some(path) = path.filter(|path| !path.segments.is_empty()) else {
        errors.error(
            entry.value_or_key(),
            "`value` needs a type that implements `PassValue`: `value = Sessions`, without quotes",
        );
        return None;
    };
    let last = &path.segments.last()?.ident;
    let field = field(&plain(last), last.span());
    if resources.iter().any(|listed| listed.field == field) {
        errors.error(
            &path,
            format!(
                "a resource has the same field `{field}` in the struct of resources: rename one of the two structs"
            ),
        );
        return None;
    }
    Some(Listed {
        span: path.span(),
        path,
        field,
    })
}

/// Rules: there are resources, and each is listed once. A second one of the same name is left out.
fn resources(entries: &[Entry], errors: &Diagnostics) -> Vec<Listed> {
    let Some(entry) = keys::find(entries, "resources") else {
        errors.add(syn::Error::new(
            Span::call_site(),
            "an operator needs resources: `resources(First, Second)`",
        ));
        return Vec::new();
    };
    let paths = values::paths(entry, errors);
    if matches!(&entry.value, Value::List(list) if list.is_empty()) {
        errors.error(
            &entry.key,
            "an operator needs at least one resource: `resources(First, Second)`",
        );
    }
    let (mut texts, mut fields) = (BTreeSet::new(), BTreeSet::new());
    let mut resources = Vec::new();
    for path in paths {
        let Some(last) = path.segments.last() else { continue };
        let field = field(&plain(&last.ident), last.ident.span());
        if !texts.insert(path.to_token_stream().to_string()) {
            errors.error(
                &path,
                format!("`{}` is listed twice: remove one of them", plain(&last.ident)),
            );
        } else if fields.insert(field.to_string()) {
            resources.push(Listed {
                span: path.span(),
                path,
                field,
            });
        } else {
            errors.error(&path, format!("two resources have the same field `{field}` in the struct of resources: rename one of the two structs"));
        }
    }
    resources
}
