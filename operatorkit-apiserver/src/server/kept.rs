//! What a server keeps between runs.

use std::{error::Error, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use serde_json::Value;

use super::ApiServer;
use crate::{
    access::token::TokenKey,
    core::Core,
    object,
    registry::custom,
    serve::state::{Entry, State},
    store::{Draft, TableId},
};

/// The secret by which the tokens of ServiceAccounts stay good.
const TOKEN_KEY: &str = "service-account-key";

impl ApiServer {
    /// Everything that another server needs to go on from here.
    pub fn state(&self) -> State {
        let mut state = State {
            version: self.core.store.version(),
            ..State::default()
        };
        let key = BASE64.encode(self.core.access.key.pkcs8());
        state.secrets.insert(TOKEN_KEY.into(), key);
        for table in self.core.store.tables() {
            for stored in self.core.store.all(&table) {
                state.objects.push(Entry {
                    table: table.to_string(),
                    version: stored.version,
                    object: stored.json("", "").into(),
                });
            }
        }
        state
    }
}

/// What the tokens of ServiceAccounts were signed with.
///
/// # Errors
///
/// If it is no key.
pub(super) fn token_key(state: &State) -> Result<Option<TokenKey>, Box<dyn Error + Send + Sync>> {
    let Some(key) = state.secrets.get(TOKEN_KEY) else {
        return Ok(None);
    };
    let key = BASE64.decode(key).map_err(|error| format!("{TOKEN_KEY}: {error}"))?;
    Ok(Some(TokenKey::from_pkcs8(&key)?))
}

/// Fills a new server with what an earlier one has left.
///
/// # Errors
///
/// If an object is none.
pub(super) fn restore(core: &Arc<Core>, state: &State) -> Result<(), Box<dyn Error + Send + Sync>> {
    // What the CRDs serve must be known before their objects are read.
    let (crds, others): (Vec<_>, Vec<_>) = state
        .objects
        .iter()
        .partition(|entry| *entry.table == *core.tables.crds);
    put(core, state.version, &crds)?;
    custom::changed(core);
    put(core, state.version, &others)
}

fn put(core: &Arc<Core>, version: u64, entries: &[&Entry]) -> Result<(), Box<dyn Error + Send + Sync>> {
    let catalog = core.registry.catalog();
    let mut objects = Vec::new();
    for entry in entries {
        let table: TableId = entry.table.as_str().into();
        let object: Value = serde_json::from_slice(&entry.object)?;
        if object::name(&object).is_empty() {
            return Err(format!("{table} at version {} has no name", entry.version).into());
        }
        let served = catalog.of_table(&table);
        let fields = served.map(|served| served.field_values(&object)).unwrap_or_default();
        if served.is_some_and(|served| served.is("", "services")) {
            core.allocations.lock().adopt(&object);
        }
        if let Some(served) = served.filter(|served| *served.group == *"rbac.authorization.k8s.io") {
            let mut object = object.clone();
            object["kind"] = served.kind.as_ref().into();
            core.access.changed(None, Some(&object));
        }
        objects.push((table, Draft::new(&object, fields).at(entry.version)));
    }
    core.store.restore(version, objects);
    Ok(())
}
