//! Who owns fields: a name, an operation, a version and a subresource.

use serde_json::{Map, Value};

use super::go;

/// What an entry of `managedFields` is told apart by. Those who apply have one entry, whatever version they apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Manager {
    pub(super) name: String,
    pub(super) applies: bool,
    /// Empty for those who apply.
    pub(super) api_version: String,
    pub(super) subresource: String,
}

impl Manager {
    pub(super) fn new(name: &str, applies: bool, api_version: &str, subresource: &str) -> Self {
        Self {
            name: name.to_owned(),
            applies,
            api_version: if applies { String::new() } else { api_version.to_owned() },
            subresource: subresource.to_owned(),
        }
    }

    pub(super) fn operation(&self) -> &'static str {
        if self.applies { "Apply" } else { "Update" }
    }

    /// The text by which the real server knows and sorts managers.
    pub(super) fn identifier(&self) -> String {
        let fields = [
            ("manager", self.name.as_str()),
            ("operation", self.operation()),
            ("apiVersion", &self.api_version),
            ("subresource", &self.subresource),
        ];
        let fields = fields.iter().filter(|(_, value)| !value.is_empty());
        let fields: Vec<_> = fields
            .map(|(name, value)| format!("\"{name}\":{}", go::json(&Value::from(*value))))
            .collect();
        format!("{{{}}}", fields.join(","))
    }

    /// As conflicts name it: `"x" with subresource "status" using apps/v1`.
    pub(super) fn describe(&self) -> String {
        let mut text = go::quoted(&self.name);
        if !self.subresource.is_empty() {
            text = format!("{text} with subresource {}", go::quoted(&self.subresource));
        }
        if !self.applies {
            text = format!("{text} using {}", self.api_version);
        }
        text
    }

    /// The manager of an entry, and the entry's version.
    ///
    /// # Errors
    ///
    /// What is wrong, in the words of the real server.
    pub(super) fn decode(entry: &Map<String, Value>, index: usize) -> Result<(Self, String), String> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let applies = match text("operation") {
            "Apply" => true,
            "Update" => false,
            _ => return Err("operation must be `Apply` or `Update`".into()),
        };
        let api_version = text("apiVersion");
        if api_version.is_empty() {
            return Err("apiVersion must not be empty".into());
        }
        match text("fieldsType") {
            "FieldsV1" => {}
            "" => return Err(format!("missing fieldsType in managed fields entry {index}")),
            other => {
                return Err(format!(
                    "invalid fieldsType {} in managed fields entry {index}",
                    go::quoted(other)
                ));
            }
        }
        let manager = Self::new(text("manager"), applies, api_version, text("subresource"));
        Ok((manager, api_version.to_owned()))
    }
}
