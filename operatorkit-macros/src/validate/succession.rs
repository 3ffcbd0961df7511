//! The rules of what an operator succeeds to: its former names, finalizers of others, orphans.

use std::collections::BTreeSet;

use syn::{LitStr, parse::Parser as _};

use super::{keys, operator::NAME_MAX, values};
use crate::{
    diagnostics::Diagnostics,
    model::Succession,
    names::{is_dns_label, is_label_value},
    syntax::{Entry, Value},
};

/// The prefix of our own finalizers.
const OURS: &str = "operatorkit.dev/";
/// What Kubernetes' own controllers wait for (meta/v1 and core/v1, `Finalizer…`).
const KUBERNETES: [&str; 3] = ["foregroundDeletion", "kubernetes", "orphan"];

/// What the keys say.
pub(super) fn succession(entries: &[Entry], name: Option<&LitStr>, errors: &Diagnostics) -> Succession {
    Succession {
        formerly: keys::find(entries, "formerly").map_or_else(Vec::new, |entry| formerly(entry, name, errors)),
        legacy_finalizers: keys::find(entries, "legacy_finalizers")
            .map_or_else(Vec::new, |entry| legacy_finalizers(entry, errors)),
        delete_orphans: keys::find(entries, "orphans").is_some_and(|entry| delete_orphans(entry, errors)),
    }
}

/// Rules: former names are names of operators, none of them twice, and none is the name as it is now.
fn formerly(entry: &Entry, name: Option<&LitStr>, errors: &Diagnostics) -> Vec<LitStr> {
    let names = array(entry);
    let Some(names) = names.filter(|names| !names.is_empty()) else {
        errors.error(
            entry.value_or_key(),
            "`formerly` needs the operator's earlier names: `formerly = [\"old-name\"]`",
        );
        return Vec::new();
    };
    let is_good = |former: &LitStr| {
        let is_name = is_label_value(&former.value(), NAME_MAX);
        if !is_name {
            let text = format!(
                "an operator's name is a label value of at most {NAME_MAX} characters, a shortened one with its hash"
            );
            errors.error(former, text);
        }
        let is_now = name.is_some_and(|name| name.value() == former.value());
        if is_now {
            errors.error(
                former,
                "this is the operator's name as it is now: remove it from `formerly`",
            );
        }
        is_name && !is_now
    };
    let good = names.into_iter().filter(is_good).collect();
    each_once(entry, good, errors)
}

/// Rules: finalizers are qualified names (Kubernetes, `ValidateFinalizerName`), none of them twice, and none is of operatorkit or of Kubernetes itself.
fn legacy_finalizers(entry: &Entry, errors: &Diagnostics) -> Vec<LitStr> {
    let finalizers = values::strings(entry, "\"operatorkit.giantswarm.io/webapp\"", errors);
    let is_good = |finalizer: &LitStr| {
        let text = finalizer.value();
        let wrong = if text.starts_with(OURS) {
            "this is a finalizer of operatorkit's own: say `formerly = [\"..\"]` if the operator was renamed"
        } else if KUBERNETES.contains(&&*text) {
            "this is a finalizer of Kubernetes itself, which its garbage collector or namespace controller takes off: remove it"
        } else if !is_finalizer(&text) {
            "a finalizer is a name of at most 63 characters, usually behind a domain and a `/`, such as \"operatorkit.giantswarm.io/webapp\""
        } else {
            return true;
        };
        errors.error(finalizer, wrong);
        false
    };
    let good = finalizers.into_iter().filter(is_good).collect();
    each_once(entry, good, errors)
}

/// Rule: `orphans` has one value.
fn delete_orphans(entry: &Entry, errors: &Diagnostics) -> bool {
    let Some(value) = values::string(entry, "delete", errors) else {
        return false;
    };
    let delete = value.value() == "delete";
    if !delete {
        errors.error(
            value,
            "`orphans` has one value: `orphans = \"delete\"`; without it children whose object is gone are reported",
        );
    }
    delete
}

/// The strings of `key = ["a", "b"]`.
fn array(entry: &Entry) -> Option<Vec<LitStr>> {
    let Value::Is(value) = &entry.value else {
        return None;
    };
    let list = |input: syn::parse::ParseStream<'_>| {
        let content;
        syn::bracketed!(content in input);
        content.parse_terminated(<LitStr as syn::parse::Parse>::parse, syn::Token![,])
    };
    list.parse2(value.clone()).ok().map(|list| list.into_iter().collect())
}

fn each_once(entry: &Entry, texts: Vec<LitStr>, errors: &Diagnostics) -> Vec<LitStr> {
    let mut seen = BTreeSet::new();
    let is_first = |text: &LitStr| {
        let first = seen.insert(text.value());
        if !first {
            errors.error(text, format!("`{}` names this twice: remove one of them", entry.name()));
        }
        first
    };
    texts.into_iter().filter(is_first).collect()
}

/// Old programs also have names without a domain: custom resources may carry such.
fn is_finalizer(text: &str) -> bool {
    let (domain, name) = text
        .split_once('/')
        .map_or((None, text), |(domain, name)| (Some(domain), name));
    is_label_value(name, 63) && domain.is_none_or(|domain| domain.len() <= 253 && domain.split('.').all(is_dns_label))
}
