//! The schema of an object of an own kind.

use kube::core::schema::StructuralSchemaRewriter;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, transform::Transform as _};
use serde_json::json;

use super::{Rule, Wrong, print::print, read::read, rules};

/// The schema of the objects of a kind: what its `JsonSchema` answers, and so what is in its definition. `doc` describes the kind; without it the
/// comment on the spec does. The rules are about whole objects.
///
/// # Panics
/// If the spec or the status has a field that no schema of a CRD can describe; the text names the field, and what to do.
pub fn object<Spec, Status>(
    generator: &mut SchemaGenerator,
    kind: &str,
    doc: Option<&str>,
    about: impl IntoIterator<Item = Rule>,
) -> Schema
where
    Spec: JsonSchema,
    Status: JsonSchema,
{
    // What kube's derive does to a schema is not for one that is finished: it takes fields out of `anyOf`, for one.
    let mut transforms = generator.settings().transforms.iter();
    if transforms.any(|transform| transform.is::<StructuralSchemaRewriter>()) {
        *generator = settings().into_generator();
    }
    let made = of::<Spec>(".spec").and_then(|spec| Ok((spec, of::<Option<Status>>(".status")?)));
    let (spec, status) =
        made.unwrap_or_else(|wrong| panic!("no CustomResourceDefinition can be made of `{kind}`: {wrong}"));
    let mut schema = Schema::default();
    let map = schema.ensure_object();
    let description = doc.map(Into::into).or_else(|| spec.get("description").cloned());
    map.extend(description.map(|description| ("description".to_owned(), description)));
    map.insert("type".to_owned(), "object".into());
    map.insert("required".to_owned(), json!(["spec"]));
    map.insert("properties".to_owned(), json!({ "spec": spec, "status": status }));
    let mut about = about.into_iter().peekable();
    if about.peek().is_some() {
        rules(about).transform(&mut schema);
    }
    schema
}

/// The structural schema of a type, in a field.
pub(super) fn of<T: JsonSchema>(field: &str) -> Result<serde_json::Value, Wrong> {
    let schema = settings().into_generator().subschema_for::<T>();
    let node = read(schema.as_value());
    node.and_then(print).map_err(|wrong| wrong.below(field))
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    })
}
