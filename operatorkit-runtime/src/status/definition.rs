//! The definition of an own kind, and the rule that no field of its user's status has one of our names.

use std::collections::BTreeSet;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use super::OUR_FIELDS;
use crate::operator::Operator;

/// The `CustomResourceDefinition` of an own kind: what `Operator::crd` of one answers.
///
/// # Panics
/// If the user's status has a field with one of our names, whatever way it came by it: both would be one field of the object. A type
/// under `#[data]` is refused by the compiler already, where its fields show it.
pub fn definition<O>() -> CustomResourceDefinition
where
    O: Operator<Object: CustomResourceExt, Status: JsonSchema>,
{
    let crd = O::Object::crd();
    let users = fields::<O::Status>();
    if let Some(taken) = OUR_FIELDS.iter().find(|ours| users.contains(**ours)) {
        let kind = &crd.spec.names.kind;
        panic!("the status of `{kind}` has a field `{taken}`, which operatorkit writes itself: give it another name");
    }
    crd
}

/// The names of a type's fields in JSON, those that are flattened into it among them.
fn fields<T: JsonSchema>() -> BTreeSet<String> {
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    let mut names = BTreeSet::new();
    collect(
        settings.into_generator().into_root_schema_for::<T>().as_value(),
        &mut names,
    );
    names
}

fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        names.extend(properties.keys().cloned());
    }
    // What is flattened, and the variants of an enum.
    for key in ["allOf", "anyOf", "oneOf"] {
        let parts = schema.get(key).and_then(Value::as_array).into_iter().flatten();
        parts.for_each(|part| collect(part, names));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::{NoStatus, Status};

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Plain {
        url: String,
        nested: Nested,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Nested {
        conditions: Vec<String>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Flattened {
        #[serde(flatten)]
        nested: Option<Nested>,
        #[serde(flatten)]
        one_of: OneOf,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    #[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
    enum OneOf {
        Plain(String),
        Resources { observed_generation: i64 },
    }

    #[test]
    fn our_fields_are_all_that_our_schema_has() {
        assert_eq!(fields::<Status<NoStatus>>(), OUR_FIELDS.map(str::to_owned).into());
    }

    #[test]
    fn what_is_flattened_counts_and_what_is_nested_does_not() {
        assert!(fields::<Plain>().iter().eq(["nested", "url"]));
        assert!(fields::<Flattened>().iter().eq(["conditions", "plain", "resources"]));
    }
}
