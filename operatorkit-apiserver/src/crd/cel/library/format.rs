//! Named formats: `format.dns1123Label().validate(…)`.

use cel::{
    DeclarationError, Env, ExecutionError,
    common::{
        types::{CelList, CelOptional, CelString},
        value::{CowVal, Val},
    },
};

use crate::crd::{content, validation::formats};

/// A format with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Format(&'static str);

super::opaque!(Format, "kubernetes.NamedFormat");

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    cel::add_overload!(env, fn named: (CelString) -> CelOptional, name = "format.named")?;
    cel::add_member_overload!(env, fn validate: (Format, CelString) -> CelOptional)?;
    macro_rules! formats {
        ($($name:literal)*) => {
            $(env.add_overload(concat!("format.", $name), concat!("format-", $name), vec![], |_| constant($name))?;)*
        };
    }
    formats! {
        "dns1123Label" "dns1123Subdomain" "dns1035Label" "qualifiedName" "dns1123LabelPrefix" "dns1123SubdomainPrefix"
        "dns1035LabelPrefix" "labelValue" "uri" "uuid" "byte" "date" "datetime"
    }
    Ok(())
}

const NAMES: [&str; 13] = [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
];

fn constant<'b, 'v>(name: &'static str) -> Result<CowVal<'b, 'v>, ExecutionError> {
    Ok(CowVal::owned(Format(name)))
}

fn named(name: &CelString<'_>) -> CelOptional<'static> {
    let found = NAMES.iter().find(|it| **it == name.inner());
    found.map_or_else(CelOptional::none, |it| CelOptional::of(Box::new(Format(it))))
}

/// What is wrong with a string, if anything is.
fn validate(format: &Format, text: &CelString<'_>) -> CelOptional<'static> {
    let text = text.inner();
    let valid = |format: &str, what: &str| {
        if formats::is_valid(format, text) {
            Vec::new()
        } else {
            vec![what.to_owned()]
        }
    };
    // A prefix of a name may end with a dash: something will follow.
    let prefix = match text.strip_suffix('-') {
        Some(rest) if text.len() > 1 => format!("{rest}a"),
        _ => text.to_owned(),
    };
    let wrong = match format.0 {
        "dns1123Label" => content::dns_label(text),
        "dns1123Subdomain" => content::dns_subdomain(text),
        "dns1035Label" => content::dns_1035_label(text),
        "qualifiedName" => content::qualified_name(text),
        "dns1123LabelPrefix" => content::dns_label(&prefix),
        "dns1123SubdomainPrefix" => content::dns_subdomain(&prefix),
        "dns1035LabelPrefix" => content::dns_1035_label(&prefix),
        "labelValue" => content::label_value(text),
        "uri" => valid("uri", &format!("parse {text:?}: invalid URI for request")),
        "uuid" => valid("uuid", "does not match the UUID format"),
        "byte" => valid("byte", "invalid base64"),
        "date" => valid("date", "invalid date"),
        _ => valid("datetime", "invalid datetime"),
    };
    if wrong.is_empty() {
        return CelOptional::none();
    }
    let wrong = wrong
        .into_iter()
        .map(|it| Box::new(CelString::from(it)) as Box<dyn Val>);
    CelOptional::of(Box::new(CelList::from(wrong.collect::<Vec<_>>())))
}
