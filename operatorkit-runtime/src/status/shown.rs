//! `Status`: what every own kind has under `status`.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Condition, ResourceStatus};
use crate::record::Slot;

/// The fields of a status that are ours, as they are in the API.
pub(crate) const OUR_FIELDS: [&str; 4] = ["observedGeneration", "conditions", "resources", "operatorkit"];

/// The status of an object of an own kind: ours, and the user's fields beside them.
///
/// The user's fields are flattened as an `Option`: a stored status that no longer fits them cannot brick the kind, it
/// reads as `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status<T> {
    /// The generation that the conditions are about: never ahead of what was handled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// `Ready`, `Paused`, `Deleting`, and whatever others add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
    /// A line for each resource of the graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub resources: Vec<ResourceStatus>,
    /// What operatorkit has to remember about things outside Kubernetes. Not for people, except a `decision`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operatorkit: Option<Stored>,
    /// The user's fields.
    #[serde(flatten)]
    pub user: Option<T>,
}

/// What is stored for the `External`s of an object: kept as it is, whatever a later version makes of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stored(Value);

impl Stored {
    /// The slots by resource name; what cannot be read as a slot is an intent without a UID, which never deletes anything.
    pub(crate) fn slots(&self) -> BTreeMap<String, Slot> {
        let state = self.0.get("state").and_then(Value::as_object).into_iter().flatten();
        state
            .map(|(name, slot)| (name.clone(), serde_json::from_value(slot.clone()).unwrap_or_default()))
            .collect()
    }
}

impl JsonSchema for Stored {
    fn schema_name() -> Cow<'static, str> {
        "OperatorkitStored".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // The same in every CRD of ours: a typed field that leaves the schema would lose what was stored (tried).
        json_schema!({
            "type": "object",
            "x-kubernetes-preserve-unknown-fields": true,
        })
    }
}

/// The status of an operator without fields of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoStatus {}
