//! S-25: an enum takes the forms that serde takes, and no other.

use operatorkit::{
    prelude::*,
    serde_json::{Value, from_value, json},
};
use operatorkit_testing::Cluster;

use super::{Written, idle};
use crate::servers::on_both;

on_both!(each_form_is_taken_and_nothing_else);

#[operator(group = "schema.test", version = "v1", kind = "Formed", namespaced, resources(Idle))]
pub(crate) struct FormedSpec {
    words: Option<Words>,
    text_or_number: Option<TextOrNumber>,
    text_or_pair: Option<TextOrPair>,
    switch: Option<Switch>,
    disk: Option<Disk>,
    either: Option<Either>,
    anything: Option<Anything>,
    text_or_strict: Option<TextOrStrict>,
    nested: Option<Nested>,
}

#[data]
#[serde(untagged)]
pub(crate) enum TextOrStrict {
    Text(String),
    Strict(Strict),
}

#[data]
#[serde(deny_unknown_fields)]
pub(crate) struct Strict {
    name: String,
    n: Option<i64>,
}

/// A choice within a choice.
#[data]
#[serde(untagged)]
pub(crate) enum Nested {
    Many(Vec<TextOrNumber>),
    One(TextOrNumber),
    Named { from: TextOrPair },
}

#[data]
#[serde(untagged)]
pub(crate) enum Words {
    Color(Color),
    Size(Size),
}

#[data]
pub(crate) enum Color {
    Red,
    Blue,
}

#[data]
pub(crate) enum Size {
    Large,
}

#[data]
#[serde(untagged)]
pub(crate) enum TextOrNumber {
    Text(String),
    Number(i64),
}

#[data]
#[serde(untagged)]
pub(crate) enum TextOrPair {
    Text(String),
    Pair(Pair),
}

#[data]
pub(crate) struct Pair {
    name: String,
    n: i64,
}

/// Variants with data and without.
#[data]
pub(crate) enum Switch {
    Off,
    /// From a number on.
    From(u8),
    Between {
        low: u8,
        high: u8,
    },
}

/// The same field with two types.
#[data]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Disk {
    Plain { size: u32 },
    Named { size: String },
    None,
}

#[data]
#[serde(untagged)]
pub(crate) enum Either {
    Flag(bool),
    List(Vec<u8>),
    Fraction(f64),
}

#[data]
#[serde(untagged)]
pub(crate) enum Anything {
    Pair(Pair),
    Map(std::collections::BTreeMap<String, Value>),
}

idle!(Idle of Formed);

async fn each_form_is_taken_and_nothing_else(cluster: &'static Cluster) {
    let formed = Written::of::<Formed>(cluster, "formed").await;
    let values = [
        json!("x"),
        json!("Red"),
        json!("Large"),
        json!("Off"),
        json!(5),
        json!(1.5),
        json!(true),
        json!([1, 2]),
        json!([300]),
        json!([]),
        json!({}),
        json!({ "name": "a", "n": 1 }),
        json!({ "name": "a" }),
        json!({ "name": 7, "n": "x" }),
        json!({ "name": "a", "other": 1 }),
        json!({ "name": "a", "n": 1, "other": null }),
        json!({ "From": 7, "other": 1 }),
        // Two would be a `Pair` to serde, which reads the fields of a struct from an array, too; no schema says so.
        json!(["a", 1, 2]),
        json!(["a", true]),
        json!({ "from": "a" }),
        json!({ "from": { "name": "a", "n": 1 } }),
        json!({ "from": { "name": "a" } }),
        json!({ "from": 5 }),
        json!({ "From": 7 }),
        json!({ "From": 256 }),
        json!({ "Between": { "low": 1, "high": 2 } }),
        json!({ "Between": { "low": 1 } }),
        json!({ "From": 7, "Between": { "low": 1, "high": 2 } }),
        json!({ "type": "plain", "size": 3 }),
        json!({ "type": "plain", "size": "3" }),
        json!({ "type": "plain", "size": -3 }),
        json!({ "type": "named", "size": "3" }),
        json!({ "type": "named", "size": 3 }),
        json!({ "type": "none" }),
        json!({ "type": "other" }),
    ];
    let fields = [
        "words",
        "textOrNumber",
        "textOrPair",
        "switch",
        "disk",
        "either",
        "anything",
        "textOrStrict",
        "nested",
    ];
    let mut wrong = Vec::new();
    for field in fields {
        for (index, value) in values.iter().enumerate() {
            let mut spec = json!({});
            spec[field] = value.clone();
            let rust = from_value::<FormedSpec>(spec.clone()).is_ok();
            let answer = formed
                .create(&format!("{}-{index}", field.to_lowercase()), spec.clone())
                .await;
            match (&answer, rust) {
                (Ok(stored), true) if *stored == spec => {}
                (Err(refusal), false) if refusal.contains(&format!("spec.{field}")) => {}
                _ => wrong.push(format!("{spec}: serde takes it: {rust}; the API server: {answer:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
