//! `validation(..)` on a type and its fields: what adds rules to the schema that is derived.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Field, Item, Path, parse_quote};

use super::paths::private;
use crate::model::{Reason, Rule, Rules};

/// ```text
/// #[schemars(transform = ::operatorkit::__private::schema::rules([Rule::new("self > 0").message("..")]))]
/// ```
pub(super) fn put(root: &Path, item: &mut Item, rules: &Rules) {
    match item {
        Item::Struct(item) => put_on(root, &mut item.attrs, item.fields.iter_mut(), rules),
        Item::Enum(item) => {
            let fields = item.variants.iter_mut().flat_map(|variant| &mut variant.fields);
            put_on(root, &mut item.attrs, fields, rules);
        }
        _ => {}
    }
}

/// The same on the parts of an item.
pub(super) fn put_on<'a>(
    root: &Path,
    attrs: &mut Vec<Attribute>,
    fields: impl Iterator<Item = &'a mut Field>,
    rules: &Rules,
) {
    for (field, rules) in fields.zip(&rules.of_fields) {
        field.attrs.extend(attribute(root, rules));
    }
    attrs.extend(attribute(root, &rules.of_type));
}

fn attribute(root: &Path, rules: &[Rule]) -> Option<Attribute> {
    let private = private(root);
    let each = each(&private, rules);
    (!rules.is_empty()).then(|| parse_quote!(#[schemars(transform = #private::schema::rules([#(#each),*]))]))
}

/// The rules as expressions.
pub(super) fn each(private: &TokenStream, rules: &[Rule]) -> Vec<TokenStream> {
    rules.iter().map(|rule| expression(private, rule)).collect()
}

fn expression(private: &TokenStream, rule: &Rule) -> TokenStream {
    let Rule {
        expression,
        message,
        message_expression,
        reason,
        field_path,
        optional_old_self,
    } = rule;
    let message = message.iter();
    let message_expression = message_expression.iter();
    let reason = reason.iter().map(|reason| match reason {
        Reason::Invalid => quote!(Invalid),
        Reason::Forbidden => quote!(Forbidden),
        Reason::Required => quote!(Required),
        Reason::Duplicate => quote!(Duplicate),
    });
    let field_path = field_path.iter();
    let optional_old_self = optional_old_self.then(|| quote!(.optional_old_self()));
    quote! {
        #private::schema::Rule::new(#expression)
            #(.message(#message))*
            #(.message_expression(#message_expression))*
            #(.reason(#private::schema::Reason::#reason))*
            #(.field_path(#field_path))*
            #optional_old_self
    }
}
