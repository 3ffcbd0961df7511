//! The rules of `validation(..)`: those that Kubernetes has for `x-kubernetes-validations`, as far as they are about its form. Whether an
//! expression is CEL, and fits the fields, is checked by the API server when the CRD is made.

use proc_macro2::TokenStream;
use syn::{Item, LitStr, Meta, Token, parse::Parser as _};

use super::{keys, keys::Keys, values};
use crate::{
    diagnostics::Diagnostics,
    model::{Reason, Rule, Rules},
    syntax::{Entry, Value, entries, fields},
};

const KEYS: &Keys = &Keys::new(
    &[
        "message",
        "message_expression",
        "reason",
        "field_path",
        "optional_old_self",
    ],
    &[],
);
/// Those of `#[operator]`.
const OF_AN_OPERATOR: &Keys = &Keys::new(
    &[
        "object",
        "message",
        "message_expression",
        "reason",
        "field_path",
        "optional_old_self",
    ],
    &[],
);
const EXAMPLE: &str = "self.min <= self.max";

/// The rules on the type of an attribute with these entries, those about whole objects, and those on its fields, which lose their attributes.
pub(super) fn rules(all: &[Entry], keys: Place, item: &mut Item, errors: &Diagnostics) -> (Rules, Vec<Rule>) {
    let (mut of_type, mut about) = (Vec::new(), Vec::new());
    for entry in all.iter().filter(|entry| entry.name() == "validation") {
        let Value::List(list) = &entry.value else {
            errors.error(entry.value_or_key(), needs_a_rule());
            continue;
        };
        match rule(list.clone(), keys, &entry.key, errors) {
            Some((rule, true)) => about.push(rule),
            Some((rule, false)) => of_type.push(rule),
            None => {}
        }
    }
    let of_fields = fields(item).into_iter().map(|field| {
        let (rules, others) = field
            .attrs
            .drain(..)
            .partition(|attr| attr.path().is_ident("validation"));
        field.attrs = others;
        let rules: Vec<syn::Attribute> = rules;
        let rule = |attr: &syn::Attribute| match &attr.meta {
            Meta::List(list) => rule(list.tokens.clone(), Place::Field, attr.path(), errors),
            meta => {
                errors.error(meta, needs_a_rule());
                None
            }
        };
        rules.iter().filter_map(rule).map(|(rule, _)| rule).collect()
    });
    let of_fields = of_fields.collect();
    (Rules { of_type, of_fields }, about)
}

/// What a rule stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Operator,
    Type,
    Field,
}

fn needs_a_rule() -> String {
    format!("`validation` needs a rule in CEL: `validation(\"{EXAMPLE}\", message = \"..\")`")
}

/// A rule, and whether it is about the whole object. `None`: there is no rule.
fn rule(list: TokenStream, place: Place, key: &impl quote::ToTokens, errors: &Diagnostics) -> Option<(Rule, bool)> {
    let split = |input: syn::parse::ParseStream<'_>| {
        let rule: LitStr = input.parse()?;
        let _comma: Option<Token![,]> = input.parse()?;
        Ok((rule, input.parse::<TokenStream>()?))
    };
    let Ok((rule, rest)) = split.parse2(list.clone()) else {
        if list.is_empty() {
            errors.error(key, needs_a_rule());
        } else {
            errors.error(list, needs_a_rule());
        }
        return None;
    };
    let (said, odd) = entries(rest);
    odd.into_iter().for_each(|error| errors.add(error));
    let keys = if place == Place::Operator { OF_AN_OPERATOR } else { KEYS };
    keys::check(&said, keys, "`validation(..)`: ", errors);
    let flag = |key| keys::find(&said, key).is_some_and(|entry| values::flag(entry, errors));
    let rule = Rule {
        message: text(&said, "message", "min must not be above max", errors),
        message_expression: text(
            &said,
            "message_expression",
            "self.max < 9 ? 'too small' : 'too large'",
            errors,
        ),
        reason: reason(&said, errors),
        field_path: field_path(&said, errors),
        optional_old_self: flag("optional_old_self"),
        expression: rule,
    };
    check(&rule, &said, errors);
    Some((rule, flag("object")))
}

/// Rules: a rule is not empty; it has a message if it has several lines, since it would be the message; the message has one line; and only
/// what asks for `oldSelf` can do without.
fn check(rule: &Rule, said: &[Entry], errors: &Diagnostics) {
    let lines = |text: &LitStr| text.value().trim().contains(['\n', '\r']);
    if rule.expression.value().trim().is_empty() {
        errors.error(
            &rule.expression,
            "a rule must not be empty: an expression in CEL that gives true or false",
        );
    }
    match &rule.message {
        Some(message) if lines(message) => errors.error(message, "`validation(..)`: a message has one line"),
        None if lines(&rule.expression) => errors.error(
            &rule.expression,
            "`validation(..)`: a rule of several lines needs a message: `message = \"..\"`",
        ),
        _ => {}
    }
    if let Some(entry) = keys::find(said, "optional_old_self").filter(|_| !rule.expression.value().contains("oldSelf"))
    {
        errors.error(
            &entry.key,
            "`validation(..)`: `optional_old_self` is for a rule with `oldSelf`, and this one has none",
        );
    }
}

fn text(said: &[Entry], key: &str, example: &str, errors: &Diagnostics) -> Option<LitStr> {
    values::string(keys::find(said, key)?, example, errors)
}

/// Rule: the reason is one of those that Kubernetes has.
fn reason(said: &[Entry], errors: &Diagnostics) -> Option<Reason> {
    let text = text(said, "reason", "FieldValueInvalid", errors)?;
    let reason = match text.value().as_str() {
        "FieldValueInvalid" => Reason::Invalid,
        "FieldValueForbidden" => Reason::Forbidden,
        "FieldValueRequired" => Reason::Required,
        "FieldValueDuplicate" => Reason::Duplicate,
        _ => {
            errors.error(
                &text,
                "`validation(..)`: a reason is `FieldValueInvalid`, `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`",
            );
            return None;
        }
    };
    Some(reason)
}

/// Rule: a path begins where the rule stands, with a dot or a bracket.
fn field_path(said: &[Entry], errors: &Diagnostics) -> Option<LitStr> {
    let path = text(said, "field_path", ".min", errors)?;
    let value = path.value();
    if !value.starts_with(['.', '[']) || value.contains(['\n', '\r']) {
        errors.error(
            &path,
            "`validation(..)`: a path begins with a dot, where the rule stands, such as \".min\"",
        );
    }
    Some(path)
}
