//! What differs from run to run, and stands for something: uids, versions, times, names by chance, addresses.
//!
//! Each gets a number when it is first seen in a case: equal ones stay equal, different ones different.

use std::sync::LazyLock;

use operatorkit::serde_json::{Map, Value};
use regex::{Captures, Regex};

use super::names::Names;

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a pattern"));
    };
}

pattern!(UID, "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
pattern!(TIME, r"\b20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z)");
pattern!(TOKEN, r"\beyJ[\w-]+\.[\w-]+\.[\w-]+");
pattern!(PORT, r"\b127\.0\.0\.1:\d+");
pattern!(
    VERSION,
    r"(ResourceVersion in [a-z ]+: |too old resource version: |, current: |ResourceVersion in record \()\d+( \(\d+\))?"
);
// The whole object, in the order of Go's structs.
pattern!(PATCHED, r#"Invalid value: "\{.*\}": "#);
pattern!(ADDRESS, r"^10\.\d+\.\d+\.\d+$");
pattern!(AGE, r"^(\d+[smhd])+$");

/// What has been seen in a case.
#[derive(Clone, Debug, Default)]
pub(super) struct Normal {
    uids: Vec<String>,
    versions: Vec<String>,
    addresses: Vec<String>,
    ports: Vec<String>,
    names: Names,
    /// All that the case says: what it names is not replaced.
    said: String,
    /// Are `managedFields` shown?
    pub(super) fields: bool,
}

impl Normal {
    /// For a case that says this.
    pub(super) fn new(said: String) -> Self {
        Self {
            said,
            ..Self::default()
        }
    }

    /// From now on `text` is shown as `shown`.
    pub(super) fn name(&mut self, text: &str, shown: &str) {
        self.names.add(text, shown);
    }

    /// Replaces all of this in a value.
    pub(super) fn value(&mut self, mut value: Value) -> Value {
        self.names.find_generated(&value, &self.said);
        self.names.find(&value, &self.said);
        self.walk(&mut value, "");
        value
    }

    fn walk(&mut self, value: &mut Value, key: &str) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(|value| self.walk(value, key)),
            Value::Object(map) => {
                self.object(map, key);
                let keys: Vec<String> = map
                    .keys()
                    .filter(|key| self.names.plain(key) != **key)
                    .cloned()
                    .collect();
                for key in keys {
                    let value = map.remove(&key).expect("it is there");
                    map.insert(self.names.plain(&key), value);
                }
                // In an order that does not depend on how maps are made.
                let mut entries: Vec<_> = map.iter_mut().collect();
                entries.sort_by_key(|(key, _)| *key != "metadata");
                entries.into_iter().for_each(|(key, value)| self.walk(value, key));
            }
            Value::String(text) => *text = self.text(text, key),
            Value::Number(number) if key.ends_with("odePort") => {
                let text = number.to_string();
                if text != "0" && !self.said.contains(&text) {
                    *value = shown(&mut self.ports, &text, "port").into();
                }
            }
            _ => {}
        }
    }

    fn object(&self, map: &mut Map<String, Value>, key: &str) {
        if key == "metadata" && !self.fields {
            map.remove("managedFields");
        }
        // They are sorted by time, too, in seconds: a test that is slow would see another order.
        if let Some(entries) = map.get_mut("managedFields").and_then(Value::as_array_mut) {
            let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let place = ["operation", "manager", "apiVersion", "subresource"];
            entries.sort_by_cached_key(|entry| place.map(|key| text(entry, key)));
        }
        if map.get("type").is_some_and(|kind| kind == "BOOKMARK") {
            map["object"]["metadata"]["resourceVersion"] = "<list>".into();
        }
        // The bookmark after the initial events, in a Table, too.
        let end = |map: &Map<String, Value>| !map["annotations"]["k8s.io/initial-events-end"].is_null();
        if key == "metadata" && map.contains_key("annotations") && end(map) {
            map["resourceVersion"] = "<list>".into();
        }
        if (map.contains_key("items") || map.contains_key("rows"))
            && let Some(metadata) = map.get_mut("metadata").and_then(Value::as_object_mut)
        {
            for (key, shown) in [("resourceVersion", "<list>"), ("continue", "<continue>")] {
                if let Some(text) = metadata.get_mut(key).filter(|text| text.as_str() != Some("")) {
                    *text = shown.into();
                }
            }
        }
        if map.get("kind").is_some_and(|kind| kind == "Table") {
            table(map);
        }
    }

    fn text(&mut self, text: &str, key: &str) -> String {
        match key {
            "resourceVersion" if text.parse::<u64>().is_ok_and(|version| version > 0) => {
                return shown(&mut self.versions, text, "rv");
            }
            // A hash of group, version and kind.
            "storageVersionHash" => return "<hash>".into(),
            "podIP" | "ip" | "clusterIP" | "clusterIPs" | "addresses"
                if text.starts_with(|first: char| first.is_ascii_digit()) && !self.said.contains(text) =>
            {
                return shown(&mut self.addresses, text, "ip");
            }
            _ => {}
        }
        let text = self.names.plain(text);
        let time = |found: &Captures<'_>| match found.get(1).map_or(0, |fraction| fraction.len()) {
            0 => "<time>",
            7 => "<micro time>",
            _ => "<nano time>",
        };
        let text = TOKEN.replace_all(&text, "<token>");
        let text = TIME.replace_all(&text, |found: &Captures<'_>| time(found).to_owned());
        let text = PORT.replace_all(&text, "<server>");
        let text = PATCHED.replace_all(&text, "Invalid value: <object>: ");
        let text = VERSION.replace_all(&text, "$1<version>");
        let uids = &mut self.uids;
        let said = &self.said;
        let uid = |found: &Captures<'_>| {
            if said.contains(&found[0]) {
                found[0].to_owned()
            } else {
                shown(uids, &found[0], "uid")
            }
        };
        UID.replace_all(&text, uid).into_owned()
    }
}

/// The number of what may have been seen before.
fn shown(seen: &mut Vec<String>, text: &str, kind: &str) -> String {
    let at = seen.iter().position(|known| known == text).unwrap_or_else(|| {
        seen.push(text.to_owned());
        seen.len() - 1
    });
    format!("<{kind} {}>", at + 1)
}

/// Columns are described in the words of Kubernetes' documentation, which no client needs; and objects grow older.
fn table(table: &mut Map<String, Value>) {
    let columns = table.get_mut("columnDefinitions").and_then(Value::as_array_mut);
    for column in columns.into_iter().flatten() {
        if let Some(column) = column.as_object_mut() {
            column.remove("description");
        }
    }
    let rows = table.get_mut("rows").and_then(Value::as_array_mut);
    let cells = rows.into_iter().flatten().filter_map(|row| row.get_mut("cells"));
    for cell in cells.filter_map(Value::as_array_mut).flatten() {
        match cell.as_str() {
            Some(text) if AGE.is_match(text) => *cell = "<age>".into(),
            Some(text) if ADDRESS.is_match(text) => *cell = "<ip>".into(),
            _ => {}
        }
    }
}
