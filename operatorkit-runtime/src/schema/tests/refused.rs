//! What no CRD can say, each with the path of the field.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

use super::{refusal, schema};
use crate::schema::{Rule, rules};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Tree {
    root: Tagged,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Tagged {
    children: Vec<Tagged>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Boxed {
    next: Option<Box<Boxed>>,
}

/// A type in a field.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct In<T> {
    field: T,
}

#[test]
fn each_refusal_names_the_field_and_what_to_do() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Beside {
        name: String,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    }

    let rows = [
        (
            refusal::<Tree>(),
            "`.spec.root.children[]` is of a type that contains itself",
        ),
        (refusal::<Boxed>(), "`.spec.next` is of a type that contains itself"),
        (
            refusal::<In<BTreeMap<u32, String>>>(),
            "`.spec.field` is a map whose keys follow a pattern",
        ),
        (refusal::<In<Vec<(u8, String)>>>(), "`.spec.field[]` is a tuple"),
        (refusal::<In<()>>(), "`.spec.field` can be nothing but `null`"),
        (
            refusal::<In<BTreeMap<String, In<(u8, u8)>>>>(),
            "`.spec.field{}.field` is a tuple",
        ),
        (
            refusal::<In<Beside>>(),
            "`.spec.field` has fields beside a map of typed values",
        ),
    ];
    for (refusal, expected) in rows {
        assert!(refusal.starts_with(expected), "{refusal}");
    }
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Cut {
    #[schemars(with = "Vec<Value>")]
    children: Vec<Cut>,
}

#[test]
fn a_recursive_type_can_be_cut() {
    let schema = schema::<Cut>();
    assert_eq!(
        schema["properties"]["children"]["items"]["x-kubernetes-preserve-unknown-fields"],
        true
    );
}

#[derive(JsonSchema)]
#[schemars(transform = rules([Rule::new("self.n > 0")]))]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Ruled {
    n: i32,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Either {
    Ruled(Ruled),
    Text(String),
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Named {
    Ruled(Ruled),
    Other(String),
}

#[test]
fn a_rule_on_one_of_several_forms_is_refused() {
    let refusal = refusal::<In<Either>>();
    assert!(
        refusal.starts_with("`.spec.field` has a `validation(..)` on one of several forms"),
        "{refusal}"
    );
    // Where the form is a field, it stands there.
    let schema = schema::<Named>();
    assert_eq!(
        schema["properties"]["Ruled"]["x-kubernetes-validations"][0]["rule"],
        "self.n > 0"
    );
}

#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Strict {
    a: Option<u8>,
    b: Option<u8>,
    c: Option<u8>,
    d: Option<u8>,
    e: Option<u8>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum TextOrStrict {
    Text(String),
    Strict(Strict),
}

#[test]
fn unknown_fields_are_refused_by_few_optional_ones_only_where_they_are_kept() {
    let refusal = refusal::<In<TextOrStrict>>();
    assert!(
        refusal.starts_with("`.spec.field` has a form that refuses unknown fields and has more than 4 optional ones"),
        "{refusal}"
    );
    // Where there is one type only, the API server drops them.
    assert_eq!(schema::<In<Strict>>()["properties"]["field"]["type"], "object");
}
