//! The `CustomResourceDefinition`s of an app.

use std::panic::{self, AssertUnwindSafe};

use anyhow::{Context as _, anyhow, bail};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

use super::{
    App,
    descriptions::{Descriptions, too_large},
    panics,
};

/// The definitions of an app's own kinds, in the order of its operators, always the same for the same code.
pub(super) fn of(app: &App, descriptions: Descriptions) -> anyhow::Result<Vec<CustomResourceDefinition>> {
    let mut crds = Vec::new();
    for operator in &app.operators {
        // What no definition can say is told by a panic, since kube's trait has no room for an error.
        let made = panic::catch_unwind(AssertUnwindSafe(|| operator.crd()));
        crds.extend(made.map_err(|payload| anyhow!("{}", panics::text(&*payload)))?);
    }
    let crds = distinct(crds)?.into_iter().map(|crd| descriptions.of(crd));
    crds.collect()
}

/// The same to be printed: stderr is told of those that `kubectl apply` does not take.
pub(super) fn printable(app: &App, descriptions: Descriptions) -> anyhow::Result<Vec<CustomResourceDefinition>> {
    let crds = of(app, descriptions)?;
    for crd in &crds {
        if let Some(told) = too_large(crd)? {
            eprintln!("{}: {told}", app.name);
        }
    }
    Ok(crds)
}

/// Each definition once, in the order of the operators.
fn distinct(crds: impl IntoIterator<Item = CustomResourceDefinition>) -> anyhow::Result<Vec<CustomResourceDefinition>> {
    let mut distinct: Vec<CustomResourceDefinition> = Vec::new();
    for crd in crds {
        let name = crd
            .metadata
            .name
            .clone()
            .context("a CustomResourceDefinition without a name")?;
        match distinct
            .iter()
            .find(|other| other.metadata.name.as_ref() == Some(&name))
        {
            Some(same) if *same == crd => {}
            Some(_) => bail!("two operators define `{name}` differently: put both versions into one definition"),
            None => distinct.push(crd),
        }
    }
    Ok(distinct)
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
        CustomResourceDefinitionNames, CustomResourceDefinitionSpec, CustomResourceDefinitionVersion,
        CustomResourceValidation, JSON, JSONSchemaProps,
    };
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::app::yaml::documents;

    /// Words that YAML 1.1 or 1.2 would take for something else, and texts that block scalars could bend.
    const TRICKY: [&str; 32] = [
        "",
        " ",
        "true",
        "1",
        "null",
        "~",
        "y",
        "No",
        "on",
        "0o7",
        "012",
        "0x1f",
        "1e3",
        ".inf",
        "1_000",
        "1:30",
        "2020-01-01",
        "=",
        "<<",
        "- a",
        "a: b",
        "a #b",
        "#",
        "%",
        "@",
        "`",
        "first\nsecond",
        "first\n\n  indented\nlast\n",
        " leads\nand trails \n\n",
        "\ttab",
        "---",
        "it's \"quoted\"",
    ];

    fn crd(name: &str, texts: &[String]) -> CustomResourceDefinition {
        let properties = texts.iter().enumerate().map(|(index, text)| {
            let schema = JSONSchemaProps {
                type_: Some("string".to_owned()),
                description: Some(text.clone()),
                enum_: Some(vec![
                    JSON(json!(text)),
                    JSON(json!(1)),
                    JSON(json!(true)),
                    JSON(Value::Null),
                ]),
                ..JSONSchemaProps::default()
            };
            (format!("{text}{index}"), schema)
        });
        let schema = JSONSchemaProps {
            type_: Some("object".to_owned()),
            properties: Some(properties.collect()),
            required: Some(texts.to_vec()),
            default: Some(JSON(json!({ "empty": {}, "none": [], "nested": [[texts], []] }))),
            ..JSONSchemaProps::default()
        };
        CustomResourceDefinition {
            metadata: ObjectMeta {
                name: Some(name.to_owned()),
                ..ObjectMeta::default()
            },
            spec: CustomResourceDefinitionSpec {
                group: "demo.example.com".to_owned(),
                names: CustomResourceDefinitionNames {
                    kind: "Thing".to_owned(),
                    plural: "y".to_owned(),
                    ..Default::default()
                },
                scope: "Namespaced".to_owned(),
                versions: vec![CustomResourceDefinitionVersion {
                    name: "v1".to_owned(),
                    served: true,
                    storage: true,
                    schema: Some(CustomResourceValidation {
                        open_api_v3_schema: Some(schema),
                    }),
                    ..Default::default()
                }],
                ..Default::default()
            },
            status: None,
        }
    }

    fn yaml(crds: impl IntoIterator<Item = CustomResourceDefinition>) -> anyhow::Result<String> {
        documents(&distinct(crds)?)
    }

    fn read(yaml: &str) -> Vec<CustomResourceDefinition> {
        serde_saphyr::from_multiple(yaml).unwrap()
    }

    #[test]
    fn tricky_strings_survive() {
        let texts = TRICKY.map(str::to_owned);
        let crds = [crd("a", &texts), crd("b", &texts)];
        let yaml = yaml(crds.clone()).unwrap();
        assert_eq!(read(&yaml), crds);
        let names = yaml
            .lines()
            .filter(|line| line.trim_start().starts_with("plural:"))
            .collect::<Vec<_>>();
        assert!(
            names.iter().all(|line| line.contains(['"', '\''])),
            "kubectl reads a bare `y` as true: {names:?}"
        );
    }

    #[test]
    fn one_kind_is_written_once() {
        let one = crd("a", &[]);
        let twice = yaml([one.clone(), one.clone()]).unwrap();
        assert_eq!(read(&twice), std::slice::from_ref(&one));
        let err = yaml([one, crd("a", &["x".to_owned()])]).unwrap_err();
        assert!(err.to_string().contains("`a` differently"), "{err}");
    }

    proptest! {
        #[test]
        fn any_text_survives(texts in proptest::collection::vec("[ -~\n\t\u{e9}\u{2028}]{0,120}", 1..4)) {
            let crd = crd("a", &texts);
            prop_assert_eq!(read(&yaml([crd.clone()]).unwrap()), [crd]);
        }
    }
}
