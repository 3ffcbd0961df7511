//! The kinds that requests are about, and the fields that they set: the files of `kinds/`.
//!
//! ```text
//! ConfigMap v1 configmaps            kind, version, resource
//! = {"data": {"k": "v"}}             what an object says besides its name
//! data/k "v" null ! 1                a field, values that may be right, and after `!` some that are wrong
//! [status]                           fields that requests to this subresource set; `directives`: those of strategic merge patches
//! ```

use std::{collections::BTreeMap, sync::LazyLock};

use operatorkit::serde_json::{self, Value};

use super::place::Place;

/// A field, and values for it.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) place: Place,
    pub(super) right: Vec<Value>,
    pub(super) wrong: Vec<Value>,
}

/// A kind, and what requests about it say.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "as objects say it")]
pub(super) struct Kind {
    pub(super) kind: String,
    pub(super) api_version: String,
    pub(super) resource: String,
    /// What an object says besides its name.
    pub(super) minimal: Value,
    /// Fields by subresource; those of the object itself under the empty name.
    pub(super) fields: BTreeMap<String, Vec<Field>>,
}

const FILES: [&str; 7] = [
    include_str!("kinds/config_map.fields"),
    include_str!("kinds/widget.fields"),
    include_str!("kinds/deployment.fields"),
    include_str!("kinds/service.fields"),
    include_str!("kinds/pod.fields"),
    include_str!("kinds/secret.fields"),
    include_str!("kinds/lease.fields"),
];
const METADATA: &str = include_str!("kinds/metadata.fields");
const DIRECTIVES: &str = include_str!("kinds/directives.fields");

/// All kinds.
pub(super) static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| FILES.map(Kind::parse).into());

/// All that requests may say.
pub(super) fn said() -> String {
    FILES.concat() + METADATA + DIRECTIVES + NOBODY
}

/// A uid that no object has.
pub(super) const NOBODY: &str = "00000000-0000-4000-8000-00000000000f";

/// What the CRD's kind is.
pub(super) const WIDGET: &str = include_str!("kinds/widget.crd.yaml");

impl Kind {
    fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let mut head = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
        let mut next = || head.next().expect("kind, version, resource");
        let mut this = Self {
            kind: next(),
            api_version: next(),
            resource: next(),
            minimal: Value::Null,
            fields: BTreeMap::new(),
        };
        let mut of = String::new();
        for line in lines {
            if let Some(minimal) = line.strip_prefix("= ") {
                this.minimal = serde_json::from_str(minimal).expect("an object");
            } else if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section.clone_into(&mut of);
            } else {
                this.fields.entry(of.clone()).or_default().push(field(line));
            }
        }
        this.fields
            .entry(String::new())
            .or_default()
            .extend(METADATA.lines().map(field));
        let directives = this.fields.entry("directives".into()).or_default();
        directives.extend(DIRECTIVES.lines().map(field));
        this
    }

    /// The subresources that requests may go to, that of the object itself first.
    pub(super) fn subresources(&self) -> Vec<&str> {
        self.fields
            .keys()
            .map(String::as_str)
            // Who owns the replicas after a change of `/scale` follows rules of its own, of which the conformance suite has cases.
            .filter(|name| !matches!(*name, "directives" | "scale"))
            .collect()
    }

    /// The path of the resource in a namespace.
    pub(super) fn path(&self, namespace: &str) -> String {
        let root = if self.api_version == "v1" { "/api" } else { "/apis" };
        format!("{root}/{}/namespaces/{namespace}/{}", self.api_version, self.resource)
    }
}

fn field(line: &str) -> Field {
    let (place, values) = line.split_once(' ').unwrap_or_else(|| panic!("no values: {line}"));
    let (right, wrong) = values.split_once("! ").unwrap_or((values, ""));
    let read = |text: &str| {
        let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        values
            .collect::<Result<Vec<_>, _>>()
            .unwrap_or_else(|err| panic!("{line}: {err}"))
    };
    Field {
        place: Place::parse(place),
        right: read(right),
        wrong: read(wrong),
    }
}
