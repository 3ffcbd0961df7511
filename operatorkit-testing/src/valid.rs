//! Objects as the API server would judge them: unknown fields, wrong types, broken rules.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, anyhow};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{
    Api, Client, ResourceExt as _,
    api::{Patch, PatchParams, PostParams},
    core::{DynamicObject, GroupVersionKind},
    discovery::{Scope, pinned_kind},
};
use operatorkit_apiserver::ApiServer;
use serde::Serialize;
use serde_json::Value;

use crate::{EmbeddedServer, PATIENCE, eventually};

/// Has an embedded server judge objects, by a server-side apply that changes nothing: `fieldValidation=Strict`, so that an unknown field is an error.
///
/// One line for the children of a YAML file, which the compiler cannot check so far: `assert_valid(Web::yaml().fill(&example)?)`; any other
/// children can be judged as well. They are judged each by itself, wherever they would be. It blocks the thread, and needs no runtime of tokio.
///
/// # Panics
/// If an object is refused, with all refusals. Also for a kind that Kubernetes does not have: see [`assert_valid_with`].
#[track_caller]
pub fn assert_valid<T: Serialize>(objects: impl IntoIterator<Item = T>) {
    assert_valid_with([], objects);
}

/// The same, where kinds of these definitions are served beside those of Kubernetes.
///
/// # Panics
/// If an object or a definition is refused, with all refusals.
#[track_caller]
pub fn assert_valid_with<T: Serialize>(
    definitions: impl IntoIterator<Item = CustomResourceDefinition>,
    objects: impl IntoIterator<Item = T>,
) {
    let definitions: Vec<_> = definitions.into_iter().collect();
    let objects = objects.into_iter().map(|object| serde_json::to_value(object));
    let judged = objects.collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::from);
    let judged = judged.and_then(|objects| {
        // Its own: definitions of one test are nothing to another.
        let server = EmbeddedServer::start(ApiServer::builder())?;
        server.driver().block_on(|client| judge(client, definitions, objects))
    });
    if let Err(refused) = judged {
        panic!("{refused:#}");
    }
}

async fn judge(client: Client, definitions: Vec<CustomResourceDefinition>, objects: Vec<Value>) -> Result<()> {
    for definition in definitions {
        install(&client, &definition)
            .await
            .with_context(|| format!("install {}", definition.name_any()))?;
    }
    let mut refused = String::new();
    for object in objects {
        let named = format!("{} {}", text(&object["kind"]), text(&object["metadata"]["name"]));
        if let Err(error) = judge_one(&client, object).await {
            write!(refused, "\n{named}: {error:#}")?;
        }
    }
    if refused.is_empty() {
        Ok(())
    } else {
        Err(anyhow!("the API server refuses:{refused}"))
    }
}

async fn install(client: &Client, definition: &CustomResourceDefinition) -> Result<()> {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let made = definitions.create(&PostParams::default(), definition).await?;
    eventually(&definitions, &made.name_any(), "is established", PATIENCE, |made| {
        let conditions = made.status.as_ref().and_then(|status| status.conditions.as_ref());
        let mut conditions = conditions.into_iter().flatten();
        conditions.any(|condition| condition.type_ == "Established" && condition.status == "True")
    })
    .await;
    Ok(())
}

async fn judge_one(client: &Client, mut object: Value) -> Result<()> {
    let (api_version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let (kind, capabilities) = pinned_kind(client, &GroupVersionKind::gvk(group, version, kind))
        .await
        .with_context(|| {
            format!(
                "{api_version} {kind} is not served: for a kind of your own say its definition, `assert_valid_with`"
            )
        })?;
    let name = text(&object["metadata"]["name"]).to_owned();
    let api: Api<DynamicObject> = match capabilities.scope {
        // Its own namespace need not exist here.
        Scope::Namespaced => {
            if let Some(metadata) = object["metadata"].as_object_mut() {
                metadata.remove("namespace");
            }
            Api::namespaced_with(client.clone(), "default", &kind)
        }
        Scope::Cluster => Api::all_with(client.clone(), &kind),
    };
    let params = PatchParams::apply("valid").dry_run().validation_strict();
    api.patch(&name, &params, &Patch::Apply(object)).await?;
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
