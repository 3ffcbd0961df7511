//! `metadata.managedFields`: who owns what, read and written as the real server does.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{manager::Manager, set::FieldSet};

/// What one manager owns, at one version.
#[derive(Clone, Debug, Default)]
pub(super) struct Owned {
    pub(super) set: FieldSet,
    pub(super) api_version: String,
}

/// All managers of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Managed {
    pub(super) owners: BTreeMap<Manager, Owned>,
    pub(super) times: BTreeMap<Manager, Timestamp>,
}

/// What an object says of its managers.
pub(super) enum Given {
    /// Nothing, or nothing that can be read.
    Nothing,
    /// `[]` and `[{}]`: forget who owns what.
    Reset,
    /// These.
    Entries(Managed),
    /// Something that is wrong, in words.
    Wrong(String),
}

impl Given {
    /// What this object says.
    pub(super) fn of(object: &Value) -> Self {
        let Some(Value::Array(entries)) = object["metadata"].get("managedFields") else {
            return Self::Nothing;
        };
        if entries.is_empty() || (entries.len() == 1 && is_blank(&entries[0])) {
            return Self::Reset;
        }
        match decode(entries) {
            Ok(managed) => Self::Entries(managed),
            Err(message) => Self::Wrong(message),
        }
    }
}

fn is_blank(entry: &Value) -> bool {
    match entry {
        Value::Null => true,
        Value::Object(fields) => fields.values().all(|it| it.is_null() || it.as_str() == Some("")),
        _ => false,
    }
}

fn decode(entries: &[Value]) -> Result<Managed, String> {
    let mut managed = Managed::default();
    for (index, entry) in entries.iter().enumerate() {
        let blank = serde_json::Map::new();
        let entry = entry.as_object().unwrap_or(&blank);
        let (manager, api_version) = Manager::decode(entry, index)?;
        let set = match entry.get("fieldsV1") {
            None | Some(Value::Null) => FieldSet::new(),
            Some(fields) => FieldSet::from_fields_v1(fields)
                .map_err(|error| format!("error decoding versioned set from {index}: error decoding set: {error}"))?,
        };
        let time = entry.get("time").and_then(Value::as_str).and_then(|it| it.parse().ok());
        match time {
            Some(time) => managed.times.insert(manager.clone(), time),
            None => managed.times.remove(&manager),
        };
        managed.owners.insert(manager, Owned { set, api_version });
    }
    Ok(managed)
}

impl Managed {
    /// Drops managers who own nothing.
    pub(super) fn drop_empty(&mut self) {
        self.owners.retain(|_, owned| !owned.set.is_empty());
    }

    fn seconds(&self, manager: &Manager) -> i64 {
        self.times.get(manager).map_or(0, |it| it.as_second())
    }

    /// Oldest first, and by name among those of one second.
    pub(super) fn by_time(&self, managers: &mut [Manager]) {
        managers.sort_by_cached_key(|it| (self.seconds(it), it.identifier()));
    }

    /// Writes the managers into the object: those who apply first, each kind oldest first.
    pub(super) fn encode(&self, object: &mut Value) {
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else {
            return;
        };
        metadata.remove("managedFields");
        if self.owners.is_empty() {
            return;
        }
        let mut entries: Vec<_> = self.owners.iter().collect();
        entries.sort_by_key(|(manager, owned)| {
            let Manager { name, subresource, .. } = manager;
            (
                !manager.applies,
                self.seconds(manager),
                name,
                &owned.api_version,
                subresource,
            )
        });
        let entries = entries
            .into_iter()
            .map(|(manager, owned)| self.entry(manager, owned))
            .collect();
        metadata.insert("managedFields".into(), Value::Array(entries));
    }

    fn entry(&self, manager: &Manager, owned: &Owned) -> Value {
        let mut entry = json!({
            "operation": manager.operation(), "apiVersion": owned.api_version,
            "fieldsType": "FieldsV1", "fieldsV1": owned.set.to_fields_v1(),
        });
        for (name, value) in [("manager", &manager.name), ("subresource", &manager.subresource)] {
            if !value.is_empty() {
                entry[name] = value.as_str().into();
            }
        }
        if let Some(time) = self.times.get(manager) {
            entry["time"] = time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string().into();
        }
        entry
    }
}
