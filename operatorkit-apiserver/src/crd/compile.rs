//! A version of a CRD, made ready to be served.

use std::{fmt, sync::Arc};

use serde_json::Value;

use super::{
    cel, object_meta,
    prune::{META_FIELDS, prune_value},
    structure::{self, array},
    version,
};
use crate::schema::{Node, NodeId, OwnedSchema, Type, Types};

/// A column that a table shows behind the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: Box<str>,
    /// `string`, `integer`, `number`, `boolean` or `date`.
    pub type_: Box<str>,
    /// `int32`, `date-time`, …; mostly empty.
    pub format: Box<str>,
    /// What is in it.
    pub description: Box<str>,
    /// Above 0: only shown in wide output.
    pub priority: i32,
    /// Where the value is: `.spec.replicas`.
    pub json_path: Box<str>,
}

/// Where the `scale` subresource finds its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalePaths {
    /// `.spec.replicas`
    pub spec_replicas: Box<str>,
    /// `.status.replicas`
    pub status_replicas: Box<str>,
    /// `.status.selector`, if there is one.
    pub label_selector: Option<Box<str>>,
}

/// One version of a CRD, made ready to be served.
// What a version is, is a number of facts that do not hang together.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug)]
pub struct CustomVersion {
    /// The API group.
    pub group: Box<str>,
    /// The version.
    pub version: Box<str>,
    /// The kind.
    pub kind: Box<str>,
    /// The kind of lists.
    pub list_kind: Box<str>,
    /// The plural, which paths name.
    pub plural: Box<str>,
    /// Whether objects are in namespaces.
    pub namespaced: bool,
    /// Whether the version is served.
    pub served: bool,
    /// Whether objects are stored in this version.
    pub storage: bool,
    /// The warning that each request to a deprecated version is answered with.
    pub deprecation: Option<Box<str>>,
    /// The columns of tables behind the name; `Age` where the CRD names none.
    pub columns: Vec<Column>,
    /// Whether there is a `status` subresource.
    pub status: bool,
    /// The `scale` subresource, if there is one.
    pub scale: Option<ScalePaths>,
    /// The fields that field selectors may name, beside those of the metadata: `spec.color`.
    pub selectable: Vec<Box<str>>,
    pub(super) types: Arc<Types>,
    pub(super) full: NodeId,
    pub(super) structural: NodeId,
    pub(super) rules: Arc<cel::Rules>,
}

/// Why a version cannot be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchVersion(Box<str>);

impl fmt::Display for NoSuchVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the CustomResourceDefinition has no version {:?}", self.0)
    }
}

impl std::error::Error for NoSuchVersion {}

impl CustomVersion {
    /// The schema of whole objects, with `apiVersion`, `kind` and the usual metadata.
    pub fn schema(&self) -> OwnedSchema {
        OwnedSchema::new(self.types.clone(), self.full)
    }

    /// The schema as the CRD has it. Pruning, defaults and validation go by this one.
    pub fn structural(&self) -> OwnedSchema {
        OwnedSchema::new(self.types.clone(), self.structural)
    }
}

/// Makes a version of a CRD ready to be served. The CRD is one that `check` found nothing wrong with.
///
/// # Errors
///
/// The CRD has no such version.
pub fn compile(crd: &Value, version: &str) -> Result<CustomVersion, NoSuchVersion> {
    let spec = &crd["spec"];
    let found = array(&spec["versions"]).iter().find(|it| it["name"] == version);
    let found = found.ok_or_else(|| NoSuchVersion(version.into()))?;
    let mut types = Types::new();
    let structural = structure::add(&mut types, &found["schema"]["openAPIV3Schema"]);
    prune_defaults(&mut types, structural);
    let full = full(&mut types, structural);
    let rules = Arc::new(cel::Rules::new(types.schema(structural), true));
    let names = &spec["names"];
    Ok(CustomVersion {
        group: text(&spec["group"]),
        version: version.into(),
        kind: text(&names["kind"]),
        list_kind: text(&names["listKind"]),
        plural: text(&names["plural"]),
        namespaced: spec["scope"] == "Namespaced",
        served: found["served"] == true,
        storage: found["storage"] == true,
        deprecation: deprecation(spec, found),
        columns: columns(&found["additionalPrinterColumns"]),
        status: found["subresources"].get("status").is_some_and(|it| !it.is_null()),
        scale: scale(&found["subresources"]["scale"]),
        selectable: array(&found["selectableFields"])
            .iter()
            .filter_map(|it| it["jsonPath"].as_str())
            .map(|it| it.strip_prefix('.').unwrap_or(it).into())
            .collect(),
        types: Arc::new(types),
        full,
        structural,
        rules,
    })
}

/// Removes what a schema does not know from its own defaults. Those of the values of maps are not checked when the CRD
/// is made.
fn prune_defaults(types: &mut Types, id: NodeId) {
    let schema = types.schema(id);
    let node = schema.node();
    let pruned = node.default.clone().map(|mut default| {
        prune_value(schema, &mut default);
        default
    });
    let resource = node.embedded_resource;
    let properties = node
        .properties
        .iter()
        .filter(|(name, _)| !(resource && META_FIELDS.contains(&&***name)));
    let below: Vec<NodeId> = properties
        .map(|(_, id)| *id)
        .chain(node.additional)
        .chain(node.items)
        .collect();
    types.node_mut(id).default = pruned;
    below.into_iter().for_each(|id| prune_defaults(types, id));
}

/// The root with the fields that every object has.
fn full(types: &mut Types, structural: NodeId) -> NodeId {
    let mut root = types.schema(structural).node().clone();
    let text = types.add(Node {
        type_: Type::String,
        ..Node::default()
    });
    let metadata = object_meta::add(types);
    for (name, id) in [("apiVersion", text), ("kind", text), ("metadata", metadata)] {
        root.properties.insert(name.into(), id);
    }
    root.type_ = Type::Object;
    types.add(root)
}

fn scale(scale: &Value) -> Option<ScalePaths> {
    scale.is_object().then(|| ScalePaths {
        spec_replicas: text(&scale["specReplicasPath"]),
        status_replicas: text(&scale["statusReplicasPath"]),
        label_selector: scale["labelSelectorPath"]
            .as_str()
            .filter(|it| !it.is_empty())
            .map(Into::into),
    })
}

fn columns(columns: &Value) -> Vec<Column> {
    const CREATED: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. \
        It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this \
        value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. \
        More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
    if array(columns).is_empty() {
        return vec![Column {
            name: "Age".into(),
            type_: "date".into(),
            format: "".into(),
            description: CREATED.into(),
            priority: 0,
            json_path: ".metadata.creationTimestamp".into(),
        }];
    }
    array(columns).iter().map(column).collect()
}

fn column(column: &Value) -> Column {
    let json_path = text(&column["jsonPath"]);
    let description = text(&column["description"]);
    Column {
        name: text(&column["name"]),
        type_: text(&column["type"]),
        format: text(&column["format"]),
        description: if description.is_empty() {
            format!("Custom resource definition column (in JSONPath format): {json_path}").into()
        } else {
            description
        },
        priority: column["priority"]
            .as_i64()
            .and_then(|it| it.try_into().ok())
            .unwrap_or(0),
        json_path,
    }
}

fn deprecation(spec: &Value, found: &Value) -> Option<Box<str>> {
    if found["deprecated"] != true {
        return None;
    }
    if let Some(warning) = found["deprecationWarning"].as_str() {
        return Some(warning.into());
    }
    let (group, kind) = (text(&spec["group"]), text(&spec["names"]["kind"]));
    let deprecated = text(&found["name"]);
    let better = array(&spec["versions"])
        .iter()
        .filter(|it| it["served"] == true && it["deprecated"] != true)
        .filter_map(|it| it["name"].as_str())
        .filter(|it| version::compare(&deprecated, it).is_lt())
        .max_by(|one, other| version::compare(one, other));
    let instead = better.map_or_else(String::new, |better| format!("; use {group}/{better} {kind}"));
    Some(format!("{group}/{deprecated} {kind} is deprecated{instead}").into())
}

fn text(value: &Value) -> Box<str> {
    value.as_str().unwrap_or_default().into()
}
