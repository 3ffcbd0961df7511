//! Documents beside those of the real server.

use std::{collections::BTreeMap, io::Read as _};

use serde_json::{Map, Value, json};

use super::{Resource, Subresource, document};
use crate::{builtin::kinds, schema::GroupVersionKind};

fn built_in(group: &str, version: &str) -> Value {
    let resources = kinds()
        .resources()
        .iter()
        .filter(|it| &*it.group == group && &*it.version == version);
    let resources: Vec<_> = resources
        .map(|it| Resource {
            kind: GroupVersionKind::new(&it.group, &it.version, &it.kind),
            list_kind: &it.list_kind,
            plural: &it.plural,
            namespaced: it.namespaced,
            verbs: it.verbs.iter().map(|verb| &**verb).collect(),
            subresources: it
                .subresources
                .iter()
                .map(|sub| Subresource {
                    name: &sub.name,
                    kind: GroupVersionKind::new(&sub.group, &sub.version, &sub.kind),
                    verbs: sub.verbs.iter().map(|verb| &**verb).collect(),
                })
                .collect(),
            schema: it.schema.get(),
            custom: false,
        })
        .collect();
    document(&resources, kinds().types())
}

#[test]
fn the_schemas_of_the_built_in_kinds_are_those_that_were_read() {
    let mut text = String::new();
    let data = &include_bytes!("../../../../data/kinds.json.gz")[..];
    flate2::read::GzDecoder::new(data).read_to_string(&mut text).unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    for resource in kinds().resources() {
        let document = built_in(&resource.group, &resource.version);
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let mut expected = published(&data["schemas"][name]);
            let mut schema = schema.clone();
            // Which of its many groups a document names is not a matter of the type.
            for it in [&mut schema, &mut expected] {
                it.as_object_mut().unwrap().remove("x-kubernetes-group-version-kind");
            }
            assert_eq!(schema, expected, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// A schema of the data as `OpenAPI` writes it.
fn published(schema: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    let mut out = Map::new();
    for (key, value) in fields {
        let value = match key.as_str() {
            "x-kubernetes-list-type" if value == "atomic" => continue,
            "properties" => value
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, it)| (name.clone(), published(it)))
                .collect(),
            "items" | "additionalProperties" => published(value),
            "$ref" => format!("#/components/schemas/{}", value.as_str().unwrap()).into(),
            _ => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    if out.len() > 1
        && let Some(reference) = out.remove("$ref")
    {
        out.insert("allOf".into(), json!([{ "$ref": reference }]));
    }
    out.into()
}

#[test]
fn every_reference_leads_somewhere() {
    let document = built_in("", "v1");
    let text = document.to_string();
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
    }
}

#[test]
fn requests_of_built_in_kinds_are_those_of_the_real_server() {
    let real: BTreeMap<String, Value> = serde_json::from_str(include_str!("apps.json")).unwrap();
    let document = built_in("apps", "v1");
    let ours = operations(&document, |it| {
        json!([
            it["operationId"],
            it["x-kubernetes-action"],
            it["x-kubernetes-group-version-kind"]
        ])
    });
    assert_eq!(ours, real);
    let patch = &document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]["patch"];
    let parameters = patch["parameters"].as_array().unwrap();
    assert!(
        parameters
            .iter()
            .any(|it| it["name"] == "fieldValidation" && it["in"] == "query")
    );
}

fn operations(document: &Value, show: impl Fn(&Value) -> Value) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if method != "parameters" {
                all.insert(format!("{path} {method}"), show(operation));
            }
        }
    }
    all
}

#[test]
fn delete_options_are_known_in_the_groups_of_the_document() {
    let document = built_in("apps", "v1");
    let options = &document["components"]["schemas"]["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"];
    let expected = json!([
        { "group": "", "version": "v1", "kind": "DeleteOptions" }, { "group": "apps", "version": "v1", "kind": "DeleteOptions" },
    ]);
    assert_eq!(options["x-kubernetes-group-version-kind"], expected);
}

#[test]
fn a_custom_kind_is_written_out_as_the_real_server_does_it() {
    let real: Value = serde_json::from_str(include_str!("custom.json")).unwrap();
    let version = crate::crd::compile(&real["crd"], "v1").unwrap();
    let schema = version.schema();
    let kind = GroupVersionKind::new("data-openapi.test", "v1", "Widget");
    let sub = |name, kind: &GroupVersionKind| Subresource {
        name,
        kind: kind.clone(),
        verbs: vec!["get", "patch", "update"],
    };
    let resource = Resource {
        list_kind: "WidgetList",
        plural: "widgets",
        namespaced: true,
        verbs: vec![
            "delete",
            "deletecollection",
            "get",
            "list",
            "patch",
            "create",
            "update",
            "watch",
        ],
        subresources: vec![
            sub("status", &kind),
            sub("scale", &GroupVersionKind::new("autoscaling", "v1", "Scale")),
        ],
        schema: schema.get(),
        custom: true,
        kind,
    };
    let document = document(&[resource], kinds().types());
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["test.data-openapi.v1.Widget"], real["widget"]);
    assert_eq!(schemas["test.data-openapi.v1.WidgetList"], real["list"]);
    let names: Vec<_> = schemas.as_object().unwrap().keys().collect();
    assert_eq!(json!(names), real["components"]);
    let ours = operations(&document, |it| {
        let bodies: Vec<_> = it["requestBody"]["content"]
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .collect();
        json!([it["operationId"], it["x-kubernetes-action"], bodies])
    });
    let real: BTreeMap<String, Value> = serde_json::from_value(real["operations"].clone()).unwrap();
    assert_eq!(ours, real);
}
