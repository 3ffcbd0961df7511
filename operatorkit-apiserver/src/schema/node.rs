//! One place in a schema: its type, its fields, how it merges, what its values must satisfy.

use std::collections::BTreeMap;

use serde_json::Value;

/// Where a node is in its [`Types`](super::Types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// The type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Type {
    /// Nothing is known: any value (a schema without a type, `x-kubernetes-preserve-unknown-fields`, `RawExtension`).
    #[default]
    Any,
    /// An object: with [`Node::properties`], or a map with [`Node::additional`].
    Object,
    /// A list of [`Node::items`].
    Array,
    /// A string.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `x-kubernetes-int-or-string`, and `format: int-or-string`.
    IntOrString,
}

/// How the items of a list are told apart: `x-kubernetes-list-type`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListType {
    /// The list is one value. The default.
    #[default]
    Atomic,
    /// Each item is its own key.
    Set,
    /// The items are objects with these key fields.
    Map(Vec<Box<str>>),
}

/// How an object or a map merges: `x-kubernetes-map-type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapType {
    /// Field by field. The default.
    #[default]
    Granular,
    /// The object is one value.
    Atomic,
}

/// How a strategic merge patch treats a field: `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatchStrategy {
    /// `merge`: a list is merged by `merge_key`, or as a set of scalars without one.
    pub merge: bool,
    /// `retainKeys`: keys that the patch does not list are cleared.
    pub retain_keys: bool,
    /// `replace`: an object is replaced and not merged.
    pub replace: bool,
    /// The field by which the items of a list are told apart.
    pub merge_key: Option<Box<str>>,
}

/// One place in a schema.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The type of the value.
    pub type_: Type,
    /// The known fields of an object.
    pub properties: BTreeMap<Box<str>, NodeId>,
    /// The schema of a map's values.
    pub additional: Option<NodeId>,
    /// The schema of a list's items.
    pub items: Option<NodeId>,
    /// The fields that an object must have.
    pub required: Vec<Box<str>>,
    /// `int32`, `byte`, `date-time`, …
    pub format: Option<Box<str>>,
    /// Whether `null` is a value.
    pub nullable: bool,
    /// What stands where nothing was given.
    pub default: Option<Value>,
    /// How the items of a list are told apart.
    pub list: ListType,
    /// How an object merges.
    pub map: MapType,
    /// How a strategic merge patch treats the value.
    pub patch: PatchStrategy,
    /// `x-kubernetes-preserve-unknown-fields`: unknown fields are kept.
    pub preserve_unknown: bool,
    /// `x-kubernetes-embedded-resource`: the value has `apiVersion`, `kind` and `metadata`.
    pub embedded_resource: bool,
    /// What a value must satisfy beside its type; absent where there is nothing.
    pub rules: Option<Box<Rules>>,
    /// The name of the Go type or OpenAPI schema that the node comes from: `io.k8s.api.apps.v1.Deployment`.
    pub name: Option<Box<str>>,
    /// A CRD's own description of the field. The built-in kinds carry none.
    pub description: Option<Box<str>>,
}

/// What a value must satisfy beside its type: the validations of OpenAPI v3, and CEL rules.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// `enum`.
    pub enumeration: Vec<Value>,
    /// `minimum`, and whether it is exclusive.
    pub minimum: Option<(f64, bool)>,
    /// `maximum`, and whether it is exclusive.
    pub maximum: Option<(f64, bool)>,
    /// `multipleOf`.
    pub multiple_of: Option<f64>,
    /// `minLength`, in characters.
    pub min_length: Option<u64>,
    /// `maxLength`, in characters.
    pub max_length: Option<u64>,
    /// `pattern`.
    pub pattern: Option<Box<str>>,
    /// `minItems`.
    pub min_items: Option<u64>,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `minProperties`.
    pub min_properties: Option<u64>,
    /// `maxProperties`.
    pub max_properties: Option<u64>,
    /// `additionalProperties: false`.
    pub no_additional: bool,
    /// `allOf`.
    pub all_of: Vec<NodeId>,
    /// `anyOf`.
    pub any_of: Vec<NodeId>,
    /// `oneOf`.
    pub one_of: Vec<NodeId>,
    /// `not`.
    pub not: Option<NodeId>,
    /// `x-kubernetes-validations`.
    pub cel: Vec<Rule>,
}

/// One rule of `x-kubernetes-validations`, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The expression.
    pub rule: Box<str>,
    /// What is said when the rule fails.
    pub message: Option<Box<str>>,
    /// An expression whose value is said when the rule fails.
    pub message_expression: Option<Box<str>>,
    /// `FieldValueInvalid` unless given.
    pub reason: Option<Box<str>>,
    /// The field that the error names, relative to the rule's place.
    pub field_path: Option<Box<str>>,
    /// Whether a rule with `oldSelf` also runs on creation, with an optional `oldSelf`.
    pub optional_old_self: bool,
}
