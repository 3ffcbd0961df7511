//! Writes down what was learned.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context as _, Result};
use operatorkit_apiserver::builtin;
use serde::Serialize;
use serde_json::Value;

use super::{
    check::is_empty,
    compare::{Answers, Findings, Given},
};
use crate::DATA;

/// With fewer answers a field may depend on another by chance unseen.
const FEW: u32 = 8;

/// What `data/defaults.json` holds.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Learned {
    /// Type, field, and what is there when nothing is given; where the OpenAPI says another or nothing.
    defaults: BTreeMap<String, BTreeMap<String, Value>>,
    /// Fields with a default that an empty value gets, too: Go cannot tell it from nothing.
    empty_is_absent: BTreeMap<String, BTreeSet<String>>,
    /// Fields that the OpenAPI has a default for, and which stay absent.
    stays_absent: BTreeMap<String, BTreeSet<String>>,
}

/// Writes the file, and tells which fields depend on others.
pub(super) fn write(findings: &Findings) -> Result<()> {
    let mut learned = Learned::default();
    for ((type_name, field), given) in &findings.fields {
        let Some(absent) = given.get(&Given::Nothing) else {
            println!("never left out: {type_name}.{field}");
            continue;
        };
        let Some((value, count)) = always(absent) else {
            println!("depends: {type_name}.{field} {:?}", absent.keys().collect::<Vec<_>>());
            continue;
        };
        if *count < FEW {
            println!("seldom left out: {type_name}.{field}, {count} times");
        }
        let published = published(type_name, field);
        match value {
            None if published.is_some() => insert(&mut learned.stays_absent, type_name, field),
            Some(value) if published.as_ref() != Some(value) => {
                let fields = learned.defaults.entry(type_name.clone()).or_default();
                fields.insert(field.clone(), value.clone());
            }
            _ => {}
        }
        let empty = given
            .get(&Given::Empty)
            .and_then(always)
            .and_then(|(value, _)| value.as_ref());
        if empty == value.as_ref() && empty.is_some_and(|value| !is_empty(value)) {
            insert(&mut learned.empty_is_absent, type_name, field);
        }
    }
    let path = Path::new(DATA).join("defaults.json");
    let text = serde_json::to_string_pretty(&learned)? + "\n";
    fs::write(&path, text).with_context(|| format!("write {}", path.display()))
}

/// What always came back, and how often.
fn always(answers: &Answers) -> Option<&(Option<Value>, u32)> {
    let mut answers = answers.values();
    let only = answers.next()?;
    answers.next().is_none().then_some(only)
}

/// The default in the OpenAPI.
fn published(type_name: &str, field: &str) -> Option<Value> {
    let schema = builtin::kinds().named(type_name)?;
    schema.get().property(field)?.default.clone()
}

fn insert(into: &mut BTreeMap<String, BTreeSet<String>>, type_name: &str, field: &str) {
    into.entry(type_name.to_owned()).or_default().insert(field.to_owned());
}
