//! The rules of an operator's kind: its own, or one that exists.

use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use syn::{ItemStruct, LitStr};

use super::{item::named_fields, keys, kube, values};
use crate::{
    diagnostics::Diagnostics,
    model::{Kind, Rule},
    names::{is_dns_label, plain},
    syntax::{Entry, Value},
};

/// The keys of a CRD, apart from those that only go to kube.
const OF_A_CRD: [&str; 5] = ["group", "version", "kind", "namespaced", "status"];

/// What the operator reconciles. `item` may be a stand-in; `ident` is what was annotated.
pub(super) fn kind(
    entries: &[Entry],
    item: &ItemStruct,
    ident: &Ident,
    about: Vec<Rule>,
    errors: &Diagnostics,
) -> Kind {
    let existing = keys::find(entries, "for").and_then(|entry| existing(entry, entries, item, errors));
    existing.unwrap_or_else(|| own(entries, item, &plain(ident), about, errors))
}

/// Rule: an existing kind is operated by a unit struct, says which objects, and has no key of a CRD. `None`: no type is named yet.
fn existing(entry: &Entry, entries: &[Entry], item: &ItemStruct, errors: &Diagnostics) -> Option<Kind> {
    if !item.fields.is_empty() {
        errors.error(
            &item.fields,
            "an operator of an existing kind is a unit struct: `pub struct Name;`",
        );
    }
    if keys::find(entries, "selector").is_none() && keys::find(entries, "field_selector").is_none() {
        errors.error(
            &entry.key,
            "`for` needs a selector that says which objects are operated: `selector = \"label=value\"`, or `selector = all` for every object of the \
             cluster (each of them then gets our finalizer)",
        );
    }
    let repeated = |name: &str| keys::OPERATOR.repeated.contains(&name) && name != "pause";
    let kubes = |name: &str| repeated(name) || kube::ONCE.contains(&name);
    for entry in entries
        .iter()
        .filter(|entry| OF_A_CRD.contains(&entry.name().as_str()) || kubes(&entry.name()))
    {
        errors.error(
            &entry.key,
            format!(
                "`{}` belongs to a CRD, and `for` operates a kind that exists: remove one of the two",
                entry.name()
            ),
        );
    }
    values::type_(entry, errors).map(Kind::Existing)
}

/// Rules: an own kind says group, version and kind. One that is missing gets a stand-in, so that the promised types exist.
fn own(entries: &[Entry], item: &ItemStruct, spec: &str, about: Vec<Rule>, errors: &Diagnostics) -> Kind {
    let half_written = keys::find(entries, "for").is_some();
    if !half_written {
        named_fields(item, errors);
    }
    let required = |key: &str, example: &str| match keys::find(entries, key) {
        Some(entry) => values::string(entry, example, errors),
        None if half_written => None,
        None => {
            let text =
                format!("an own kind needs `{key} = \"{example}\"`; to operate an existing kind say `for = Type`");
            errors.add(syn::Error::new(Span::call_site(), text));
            None
        }
    };
    let stand_in = |text: &str| LitStr::new(text, Span::call_site());
    let group = required("group", "demo.example.com").map(|group| group_name(group, errors));
    let version = required("version", "v1").map(|version| version_name(version, errors));
    let object = required("kind", "WebApp")
        .and_then(|kind| kind_name(&kind, spec, errors))
        .unwrap_or_else(|| match spec.strip_suffix("Spec") {
            Some(kind) if !kind.is_empty() => format_ident!("{kind}"),
            _ => format_ident!("{spec}Object"),
        });
    let (group, version) = (
        group.unwrap_or_else(|| stand_in("group.invalid")),
        version.unwrap_or_else(|| stand_in("v1")),
    );
    let kind = LitStr::new(&object.to_string(), object.span());
    let mut kube = vec![quote!(group = #group), quote!(version = #version), quote!(kind = #kind)];
    if keys::find(entries, "namespaced").is_some_and(|entry| values::flag(entry, errors)) {
        kube.push(quote!(namespaced));
    }
    kube.extend(kube::pass_through(entries, errors));
    let status = keys::find(entries, "status").and_then(|entry| values::type_(entry, errors));
    // Whether it is a string is checked with kube's keys.
    let doc = keys::find(entries, "doc").and_then(|entry| match &entry.value {
        Value::Is(text) => syn::parse2(text.clone()).ok(),
        Value::Flag | Value::List(_) => None,
    });
    Kind::Own {
        object,
        status,
        doc,
        about,
        kube,
    }
}

/// Rule: a CRD's group is a domain with a dot (Kubernetes, `ValidateCustomResourceDefinition`).
fn group_name(group: LitStr, errors: &Diagnostics) -> LitStr {
    let text = group.value();
    if text.len() > 253 || !text.contains('.') || !text.split('.').all(is_dns_label) {
        errors.error(
            &group,
            "`group` is a domain with at least one dot, in small letters, such as \"demo.example.com\"",
        );
    }
    group
}

/// Rule: a CRD's version is a DNS label that begins with a letter.
fn version_name(version: LitStr, errors: &Diagnostics) -> LitStr {
    let text = version.value();
    if !is_dns_label(&text) || text.starts_with(|char: char| char.is_ascii_digit()) {
        errors.error(
            &version,
            "`version` is a name in small letters, such as \"v1\" or \"v1alpha1\"",
        );
    }
    version
}

/// Rules: the kind is a type's name that is a DNS label in small letters, and not the spec struct's.
fn kind_name(kind: &LitStr, spec: &str, errors: &Diagnostics) -> Option<Ident> {
    let text = kind.value();
    let ident = syn::parse_str::<Ident>(&text)
        .ok()
        .filter(|_| is_dns_label(&text.to_ascii_lowercase()));
    let Some(mut ident) = ident else {
        errors.error(
            kind,
            "`kind` is the name of a type, in UpperCamelCase and ASCII, such as \"WebApp\"",
        );
        return None;
    };
    if text == spec {
        let text = format!(
            "`kind` makes a type of this name, and the spec struct has it already: rename the struct to `{spec}Spec`"
        );
        errors.error(kind, text);
        return None;
    }
    ident.set_span(kind.span());
    Some(ident)
}
