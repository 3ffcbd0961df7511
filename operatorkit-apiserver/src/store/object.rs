//! One version of one object, and its bytes.

use std::{cmp::Ordering, fmt, sync::Arc};

use bytes::Bytes;
use serde_json::{Map, Value};

/// Where an object is in its table. Cluster-scoped objects have no namespace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Empty for cluster-scoped objects.
    pub namespace: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

impl Key {
    /// A key.
    pub fn new(namespace: &str, name: &str) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// `namespace/name`, or the name alone.
    fn path(&self) -> impl Iterator<Item = u8> {
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        self.namespace.bytes().chain(slash.bytes()).chain(self.name.bytes())
    }
}

/// As etcd orders `namespace/name`, byte by byte: those of `a-b` come before those of `a`.
impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.namespace == other.namespace {
            return self.name.cmp(&other.name);
        }
        self.path().cmp(other.path())
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            return f.write_str(&self.name);
        }
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// What is to be written: everything but the version.
#[derive(Clone, Debug)]
pub struct Draft {
    key: Key,
    uid: Arc<str>,
    labels: Arc<[(Box<str>, Box<str>)]>,
    fields: Arc<[Box<str>]>,
    tail: Bytes,
}

impl Draft {
    /// The object as it will be stored. `apiVersion`, `kind` and `metadata.resourceVersion` are left out. `fields` are the
    /// values of the fields by which the kind can be selected, in the kind's order.
    pub fn new(object: &Value, fields: Vec<Box<str>>) -> Self {
        let none = Map::new();
        let metadata = object["metadata"].as_object().unwrap_or(&none);
        let text = |field: &str| metadata.get(field).and_then(Value::as_str).unwrap_or_default();
        let labels = metadata.get("labels").and_then(Value::as_object).unwrap_or(&none);
        let labels = labels.iter();
        Self {
            key: Key::new(text("namespace"), text("name")),
            uid: text("uid").into(),
            labels: labels
                .map(|(key, value)| (key.as_str().into(), value.as_str().unwrap_or_default().into()))
                .collect(),
            fields: fields.into(),
            tail: tail(object, metadata),
        }
    }

    /// Where it will be.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// As stored with this version.
    pub fn at(self, version: u64) -> Stored {
        Stored { version, draft: self }
    }
}

/// `"name":"x",…},"spec":{…}}`: what follows `{"kind":…,"apiVersion":…,"metadata":{"resourceVersion":"5",`.
fn tail(object: &Value, metadata: &Map<String, Value>) -> Bytes {
    let mut tail = Vec::with_capacity(512);
    let metadata = metadata.iter().filter(|(name, _)| *name != "resourceVersion");
    entries(&mut tail, metadata);
    tail.push(b'}');
    let others = object.as_object().into_iter().flatten();
    let others = others.filter(|(name, _)| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"));
    let before = tail.len();
    tail.push(b',');
    entries(&mut tail, others);
    if tail.len() == before + 1 {
        tail.truncate(before);
    }
    tail.push(b'}');
    tail.shrink_to_fit();
    tail.into()
}

fn entries<'a>(into: &mut Vec<u8>, entries: impl Iterator<Item = (&'a String, &'a Value)>) {
    for (index, (name, value)) in entries.enumerate() {
        if index > 0 {
            into.push(b',');
        }
        write_json(into, name);
        into.push(b':');
        write_json(into, value);
    }
}

fn write_json(into: &mut Vec<u8>, value: &(impl serde::Serialize + ?Sized)) {
    serde_json::to_writer(into, value).expect("a Value has string keys, and a Vec takes all bytes");
}

/// One version of one object.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its resourceVersion.
    pub version: u64,
    draft: Draft,
}

impl Stored {
    /// Where it is.
    pub fn key(&self) -> &Key {
        &self.draft.key
    }

    /// Which incarnation of its name it is.
    pub fn uid(&self) -> &str {
        &self.draft.uid
    }

    /// Its labels, sorted.
    pub fn labels(&self) -> &[(Box<str>, Box<str>)] {
        &self.draft.labels
    }

    /// The values of the fields by which its kind can be selected, in the kind's order.
    pub fn fields(&self) -> &[Box<str>] {
        &self.draft.fields
    }

    /// The same at another version.
    #[must_use]
    pub fn moved_to(&self, version: u64) -> Self {
        self.draft.clone().at(version)
    }

    /// How many bytes are kept for it.
    pub fn len(&self) -> usize {
        self.draft.tail.len()
    }

    /// Whether nothing is kept for it.
    pub fn is_empty(&self) -> bool {
        self.draft.tail.is_empty()
    }

    /// As JSON, with these `apiVersion` and `kind`; without them if they are empty, as in the items of a list of a built-in kind.
    pub fn write_to(&self, into: &mut Vec<u8>, api_version: &str, kind: &str) {
        into.push(b'{');
        if !kind.is_empty() {
            into.extend_from_slice(b"\"kind\":");
            write_json(into, kind);
            into.extend_from_slice(b",\"apiVersion\":");
            write_json(into, api_version);
            into.push(b',');
        }
        into.extend_from_slice(b"\"metadata\":{\"resourceVersion\":\"");
        into.extend_from_slice(self.version.to_string().as_bytes());
        into.extend_from_slice(if self.draft.tail.starts_with(b"}") {
            b"\""
        } else {
            b"\","
        });
        into.extend_from_slice(&self.draft.tail);
    }

    /// As JSON.
    pub fn json(&self, api_version: &str, kind: &str) -> Vec<u8> {
        let mut json = Vec::with_capacity(self.len() + 128);
        self.write_to(&mut json, api_version, kind);
        json
    }

    /// As a value, with these `apiVersion` and `kind`.
    ///
    /// # Panics
    ///
    /// Never: what was stored is JSON.
    pub fn value(&self, api_version: &str, kind: &str) -> Value {
        serde_json::from_slice(&self.json(api_version, kind)).expect("what was stored is JSON")
    }
}
