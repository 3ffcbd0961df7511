//! What a field becomes when nothing is given, by type: `data/defaults.json` and the defaults of the OpenAPI.
//!
//! `data/defaults.json` is written by `cargo run -p operatorkit-xtask -- defaults`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::Value;

use crate::schema::Types;

static DATA: &str = include_str!("../../data/defaults.json");

/// The defaults of all types, by the name of the type.
#[derive(Debug)]
pub(super) struct Learned(HashMap<Box<str>, Box<[FieldDefault]>>);

/// The default of one field.
#[derive(Debug)]
pub(super) struct FieldDefault {
    pub(super) field: Box<str>,
    pub(super) value: Value,
    /// Whether `""`, `0`, `[]` are nothing, too.
    pub(super) empty_is_absent: bool,
}

/// The data as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    #[serde(borrow)]
    defaults: BTreeMap<&'a str, BTreeMap<&'a str, Value>>,
    #[serde(borrow)]
    empty_is_absent: BTreeMap<&'a str, BTreeSet<&'a str>>,
    #[serde(borrow)]
    stays_absent: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl Learned {
    /// # Panics
    ///
    /// Never with data that the tests have seen.
    pub(super) fn load(types: &Types) -> Self {
        let mut data: Data<'_> = serde_json::from_str(DATA).expect("the data is as the task wrote it");
        let mut all = HashMap::new();
        for (name, schema) in types.all_named() {
            let mut defaults = data.defaults.remove(name).unwrap_or_default();
            for field in schema.properties.keys() {
                let stays_absent = data
                    .stays_absent
                    .get(name)
                    .is_some_and(|fields| fields.contains(&**field));
                let published = schema.property(field).and_then(|field| field.default.clone());
                if let Some(value) = published.filter(|_| !stays_absent) {
                    defaults.entry(field).or_insert(value);
                }
            }
            if defaults.is_empty() {
                continue;
            }
            let empty = data.empty_is_absent.remove(name).unwrap_or_default();
            let defaults = defaults.into_iter().map(|(field, value)| FieldDefault {
                field: field.into(),
                value,
                empty_is_absent: empty.contains(field),
            });
            all.insert(name.into(), defaults.collect());
        }
        Self(all)
    }

    /// The defaults of a type.
    pub(super) fn of(&self, type_name: &str) -> &[FieldDefault] {
        self.0.get(type_name).map_or(&[], |defaults| defaults)
    }
}
