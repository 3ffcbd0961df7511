//! How much a definition says of its fields: `kubectl apply` keeps a copy of it in an annotation, which takes 256 KiB.

use anyhow::Context as _;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{CustomResourceDefinition, JSONSchemaProps};
use serde_json::Value;

/// What all annotations of an object may have together (Kubernetes, `TotalAnnotationSizeLimitB`).
const ANNOTATIONS: usize = 256 * 1024;

/// How much is told of each field, as `kubectl explain` shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Descriptions {
    /// The comments as they are
    #[default]
    Full,
    /// Their first paragraphs
    Short,
    /// Nothing
    None,
}

impl Descriptions {
    /// A definition that tells so much.
    pub(super) fn of(self, mut crd: CustomResourceDefinition) -> anyhow::Result<CustomResourceDefinition> {
        if self == Self::Full {
            return Ok(crd);
        }
        let schemas = crd
            .spec
            .versions
            .iter_mut()
            .filter_map(|version| version.schema.as_mut());
        for schema in schemas.filter_map(|schema| schema.open_api_v3_schema.as_mut()) {
            let mut shorter = serde_json::to_value(&*schema)?;
            self.shorten(&mut shorter);
            *schema =
                serde_json::from_value::<JSONSchemaProps>(shorter).context("a schema is one without descriptions")?;
        }
        Ok(crd)
    }

    /// The schema of a place, and of all that is in it.
    fn shorten(self, schema: &mut Value) {
        let Some(map) = schema.as_object_mut() else { return };
        if let Some(Value::String(text)) = map.get_mut("description") {
            let paragraph = text.split("\n\n").next().unwrap_or_default().trim().to_owned();
            *text = paragraph;
        }
        if self == Self::None {
            map.remove("description");
        }
        for key in ["items", "additionalProperties"] {
            map.get_mut(key).into_iter().for_each(|inner| self.shorten(inner));
        }
        if let Some(Value::Object(fields)) = map.get_mut("properties") {
            fields.values_mut().for_each(|field| self.shorten(field));
        }
    }
}

/// What is told of a definition that `kubectl apply` does not take, since its copy of it does not fit into an annotation.
pub(super) fn too_large(crd: &CustomResourceDefinition) -> anyhow::Result<Option<String>> {
    let size = serde_json::to_vec(crd)?.len();
    let name = crd.metadata.name.as_deref().unwrap_or_default();
    Ok((size > ANNOTATIONS).then(|| {
        format!(
            "`{name}` has {size} bytes, and `kubectl apply` takes {ANNOTATIONS}: use `kubectl apply --server-side`, `crd --install`, or \
             `--descriptions short` (or `none`)"
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn crd(schema: &Value) -> CustomResourceDefinition {
        let version = json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } });
        let spec = json!({
            "group": "a.b", "scope": "Cluster", "names": { "kind": "Thing", "plural": "things" }, "versions": [version],
        });
        serde_json::from_value(json!({ "metadata": { "name": "things.a.b" }, "spec": spec })).unwrap()
    }

    fn documented() -> Value {
        // A field that is called like the keyword stays.
        json!({
            "type": "object", "description": "One.\n\nTwo.",
            "properties": {
                "description": { "type": "string", "description": "Three." },
                "list": { "type": "array", "items": { "type": "string", "description": "Four.\nFive.\n\nSix." } },
                "map": { "type": "object", "additionalProperties": { "type": "string", "description": "Seven." } },
            },
        })
    }

    fn schema(crd: &CustomResourceDefinition) -> Value {
        let crd = serde_json::to_value(crd).unwrap();
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
    }

    #[test]
    fn descriptions_are_shortened_and_left_out_everywhere_and_fields_stay() {
        let full = Descriptions::Full.of(crd(&documented())).unwrap();
        assert_eq!(schema(&full), documented());
        let short = schema(&Descriptions::Short.of(crd(&documented())).unwrap());
        assert_eq!(short["description"], "One.");
        assert_eq!(short["properties"]["description"]["description"], "Three.");
        assert_eq!(short["properties"]["list"]["items"]["description"], "Four.\nFive.");
        let none = schema(&Descriptions::None.of(crd(&documented())).unwrap());
        assert_eq!(
            none,
            json!({
                "type": "object",
                "properties": {
                    "description": { "type": "string" },
                    "list": { "type": "array", "items": { "type": "string" } },
                    "map": { "type": "object", "additionalProperties": { "type": "string" } },
                },
            })
        );
    }

    #[test]
    fn what_kubectl_does_not_take_is_told_with_its_size() {
        assert_eq!(too_large(&crd(&documented())).unwrap(), None);
        let mut large = documented();
        large["description"] = "x".repeat(ANNOTATIONS).into();
        let large = crd(&large);
        let size = serde_json::to_vec(&large).unwrap().len().to_string();
        let told = too_large(&large).unwrap().unwrap();
        assert!(
            told.contains("`things.a.b`") && told.contains(&size) && told.contains("--server-side"),
            "{told}"
        );
        assert_eq!(too_large(&Descriptions::None.of(large).unwrap()).unwrap(), None);
    }
}
