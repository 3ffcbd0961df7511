//! The specs of a kind, as its CRD says what they may be.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::ResourceExt as _;
use proptest::{
    strategy::{BoxedStrategy, Just, NewTree, Strategy},
    test_runner::TestRunner,
};
use serde_json::{Value, json};

use super::{draw::Draw, values::Drawn};

/// Where the spec is in an object.
const SPEC: &str = "/spec";

/// Draws specs from the schema of a CRD, that of its stored version: a strategy for the JSON of the field `spec`.
///
/// Types, enums, bounds, lengths, patterns, `required`, `nullable`, lists and maps with their sizes and keys, `x-kubernetes-int-or-string` and
/// unknown fields are known; a field that need not be given, or has a default, is left out in half of the specs. Of `oneOf` and
/// `anyOf` one form is chosen. What else there is, rules in CEL say, the API server refuses.
///
/// # Panics
/// If the CRD has no schema for a spec.
pub fn specs(crd: &CustomResourceDefinition) -> Specs {
    let version = crd.spec.versions.iter().find(|version| version.storage);
    let schema = version.and_then(|version| version.schema.as_ref()?.open_api_v3_schema.as_ref());
    let schema = serde_json::to_value(schema).unwrap_or_default();
    let spec = schema["properties"]["spec"].clone();
    assert!(spec.is_object(), "{} has no schema for a spec", crd.name_any());
    Specs {
        schema: spec,
        narrowed: BTreeMap::new(),
    }
}

/// Random specs of a kind; see [`specs()`].
///
/// Its methods narrow a field, which a JSON pointer in the object names: `/spec/replicas`; `*` is any item of a list and any key of a map:
/// `/spec/pools/*/size`.
#[derive(Clone, Debug)]
#[must_use = "it is a strategy: nothing is drawn before it is run"]
pub struct Specs {
    schema: Value,
    /// `None`: left out.
    narrowed: BTreeMap<String, Option<BoxedStrategy<Value>>>,
}

impl Specs {
    /// The field always has this value.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn fix(self, field: &str, value: impl Into<Value>) -> Self {
        self.narrow(field, Some(Just(value.into()).boxed()))
    }

    /// The field is always given, and drawn from these values: strings from a regular expression, or what a strategy draws, `(0..3).boxed()`.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn draw(self, field: &str, values: impl Into<Drawn>) -> Self {
        self.narrow(field, Some(values.into().0))
    }

    /// The field is never given.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn leave_out(self, field: &str) -> Self {
        self.narrow(field, None)
    }

    fn narrow(mut self, field: &str, values: Option<BoxedStrategy<Value>>) -> Self {
        let object = json!({ "properties": { "spec": self.schema } });
        let known = field.split('/').skip(1).try_fold(&object, below);
        assert!(
            known.is_some() && field.starts_with('/'),
            "the schema has no field {field}"
        );
        self.narrowed.insert(field.to_owned(), values);
        self
    }
}

/// The schema of what a part of a pointer names.
fn below<'a>(schema: &'a Value, part: &str) -> Option<&'a Value> {
    if part == "*" {
        return schema.get("items").or_else(|| schema.get("additionalProperties"));
    }
    let key = part.replace("~1", "/").replace("~0", "~");
    schema.get("properties")?.get(&key)
}

impl Strategy for Specs {
    type Tree = <BoxedStrategy<Value> as Strategy>::Tree;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let draw = Draw {
            narrowed: &self.narrowed,
        };
        draw.of(&self.schema, SPEC).new_tree(runner)
    }
}
