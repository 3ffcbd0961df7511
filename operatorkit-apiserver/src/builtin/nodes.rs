//! From the schemas of the data to nodes.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::Value;

use crate::schema::{GroupVersionKind, ListType, MapType, Node, NodeId, PatchStrategy, Rules, Type, Types};

/// Schemas by name.
pub(super) type RawSchemas<'a> = BTreeMap<&'a str, RawSchema<'a>>;

/// Types of which nothing is known, though they say `type: object` or nothing.
const ANYTHING: [&str; 3] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
    "io.k8s.apimachinery.pkg.runtime.RawExtension",
];

/// A schema of OpenAPI v3 as the data has it: without descriptions, and siblings beside a `$ref`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RawSchema<'a> {
    #[serde(rename = "$ref")]
    reference: Option<&'a str>,
    #[serde(rename = "type")]
    type_: Option<&'a str>,
    format: Option<&'a str>,
    #[serde(default, borrow)]
    properties: BTreeMap<&'a str, RawSchema<'a>>,
    #[serde(borrow)]
    additional_properties: Option<Box<RawSchema<'a>>>,
    #[serde(borrow)]
    items: Option<Box<RawSchema<'a>>>,
    #[serde(default)]
    required: Vec<Box<str>>,
    #[serde(default, deserialize_with = "given")]
    default: Option<Value>,
    #[serde(default, rename = "enum")]
    enumeration: Vec<Value>,
    /// Of `Quantity` and `IntOrString` only, which are known by their names and formats.
    #[serde(rename = "oneOf")]
    _one_of: Option<serde::de::IgnoredAny>,
    #[serde(rename = "x-kubernetes-list-type")]
    list_type: Option<&'a str>,
    #[serde(default, rename = "x-kubernetes-list-map-keys")]
    list_map_keys: Vec<Box<str>>,
    #[serde(rename = "x-kubernetes-map-type")]
    map_type: Option<&'a str>,
    #[serde(rename = "x-kubernetes-patch-strategy")]
    patch_strategy: Option<&'a str>,
    #[serde(rename = "x-kubernetes-patch-merge-key")]
    patch_merge_key: Option<Box<str>>,
    #[serde(default, rename = "x-kubernetes-group-version-kind")]
    kinds: Vec<GroupVersionKind>,
}

/// `null` is a default, too.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// All nodes of the schemas.
pub(super) fn nodes(schemas: RawSchemas<'_>) -> Types {
    let mut builder = Builder::default();
    // The places first, so that a type may contain itself.
    for name in schemas.keys() {
        let id = builder.types.add(Node::default());
        builder.types.name(*name, id);
    }
    for (name, mut raw) in schemas {
        let id = builder.types.id(name).expect("added above");
        for kind in std::mem::take(&mut raw.kinds) {
            builder.types.add_kind(kind, id);
        }
        let mut node = builder.node(raw);
        if ANYTHING.contains(&name) {
            node.type_ = Type::Any;
        }
        node.preserve_unknown = node.type_ == Type::Any && node.format.is_none();
        node.name = Some(name.into());
        *builder.types.node_mut(id) = node;
    }
    builder.finish()
}

#[derive(Default)]
struct Builder<'a> {
    types: Types,
    /// Scalars that differ in nothing are one node.
    scalars: HashMap<(&'a str, Option<&'a str>), NodeId>,
    /// References with something of their own: what they refer to is copied when all of it is known.
    copies: Vec<(NodeId, NodeId, Node)>,
}

impl<'a> Builder<'a> {
    fn id(&mut self, mut raw: RawSchema<'a>) -> NodeId {
        let Some(name) = raw.reference.take() else {
            return self.value(raw);
        };
        let target = self.types.id(name).expect("a reference names a schema of the data");
        let own = self.node(raw);
        let plain = own.default.is_none() && own.map == MapType::Granular && own.patch == PatchStrategy::default();
        if plain {
            return target;
        }
        let id = self.types.add(Node::default());
        self.copies.push((id, target, own));
        id
    }

    fn value(&mut self, raw: RawSchema<'a>) -> NodeId {
        let key = (raw.type_.unwrap_or_default(), raw.format);
        let scalar = raw.default.is_none()
            && raw.enumeration.is_empty()
            && matches!(key.0, "string" | "integer" | "number" | "boolean");
        if scalar && let Some(id) = self.scalars.get(&key) {
            return *id;
        }
        let node = self.node(raw);
        let id = self.types.add(node);
        if scalar {
            self.scalars.insert(key, id);
        }
        id
    }

    fn node(&mut self, raw: RawSchema<'a>) -> Node {
        let properties = raw
            .properties
            .into_iter()
            .map(|(name, schema)| (name.into(), self.id(schema)));
        Node {
            type_: type_of(raw.type_, raw.format),
            properties: properties.collect(),
            additional: raw.additional_properties.map(|schema| self.id(*schema)),
            items: raw.items.map(|schema| self.id(*schema)),
            required: raw.required,
            format: raw.format.filter(|it| *it != "int-or-string").map(Into::into),
            default: raw.default,
            list: match raw.list_type {
                Some("set") => ListType::Set,
                Some("map") => ListType::Map(raw.list_map_keys),
                _ => ListType::Atomic,
            },
            map: match raw.map_type {
                Some("atomic") => MapType::Atomic,
                _ => MapType::Granular,
            },
            patch: patch(raw.patch_strategy.unwrap_or_default(), raw.patch_merge_key),
            rules: (!raw.enumeration.is_empty()).then(|| {
                Box::new(Rules {
                    enumeration: raw.enumeration,
                    ..Rules::default()
                })
            }),
            ..Node::default()
        }
    }

    fn finish(mut self) -> Types {
        for (id, target, own) in self.copies {
            let mut node = self.types.schema(target).node().clone();
            node.default = own.default.or(node.default);
            if own.map == MapType::Atomic {
                node.map = own.map;
            }
            if own.patch != PatchStrategy::default() {
                node.patch = own.patch;
            }
            *self.types.node_mut(id) = node;
        }
        self.types
    }
}

fn type_of(name: Option<&str>, format: Option<&str>) -> Type {
    match (name, format) {
        (Some("object"), _) => Type::Object,
        (Some("array"), _) => Type::Array,
        (Some("string"), _) => Type::String,
        (Some("integer"), _) => Type::Integer,
        (Some("number"), _) => Type::Number,
        (Some("boolean"), _) => Type::Boolean,
        (None, Some("int-or-string")) => Type::IntOrString,
        _ => Type::Any,
    }
}

fn patch(strategies: &str, merge_key: Option<Box<str>>) -> PatchStrategy {
    let has = |name: &str| strategies.split(',').any(|it| it == name);
    PatchStrategy {
        merge: has("merge"),
        retain_keys: has("retainKeys"),
        replace: has("replace"),
        merge_key,
    }
}
