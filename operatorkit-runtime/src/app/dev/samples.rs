//! The objects that are made to be reconciled.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, ensure};
use kube::{
    Api, Client,
    api::{ApiResource, DynamicObject, PostParams},
    core::GroupVersionKind,
    discovery::{self, Scope},
};
use serde_json::Value;

/// An object to be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample(DynamicObject);

/// Those of the files, or else the program's.
pub(super) fn read(of_app: &[Value], files: &[PathBuf]) -> anyhow::Result<Vec<Sample>> {
    if files.is_empty() {
        let samples = of_app.iter().cloned().map(sample);
        return samples
            .collect::<anyhow::Result<_>>()
            .context("a sample of the program");
    }
    let mut samples = Vec::new();
    for file in files {
        let what = || format!("cannot read {}", file.display());
        let text = fs::read_to_string(file).with_context(what)?;
        let documents: Vec<Value> = serde_saphyr::from_multiple(&text).with_context(what)?;
        for document in documents.into_iter().filter(|it| !it.is_null()) {
            samples.push(sample(document).with_context(what)?);
        }
    }
    Ok(samples)
}

fn sample(object: Value) -> anyhow::Result<Sample> {
    let object: DynamicObject = serde_json::from_value(object).context("it is not a Kubernetes object")?;
    ensure!(object.types.is_some(), "it has no apiVersion and kind");
    ensure!(object.metadata.name.is_some(), "it has no name");
    Ok(Sample(object))
}

/// An object that was made, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) kind: ApiResource,
    pub(super) namespace: Option<String>,
    pub(super) name: String,
}

impl Made {
    /// Where objects of its kind are asked for.
    pub(super) fn api(&self, client: &Client) -> Api<DynamicObject> {
        match &self.namespace {
            Some(namespace) => Api::namespaced_with(client.clone(), namespace, &self.kind),
            None => Api::all_with(client.clone(), &self.kind),
        }
    }
}

impl Sample {
    /// Makes it, in the namespace `default` if it does not say in which.
    pub(super) async fn make(&self, client: &Client) -> anyhow::Result<Made> {
        let Self(object) = self;
        let name = object.metadata.name.clone().unwrap_or_default();
        let types = object.types.clone().unwrap_or_default();
        let failed = || format!("cannot make the {} {name}", types.kind);
        let kind = GroupVersionKind::try_from(&types).with_context(failed)?;
        let (kind, capabilities) = discovery::pinned_kind(client, &kind).await.with_context(failed)?;
        let namespace = object
            .metadata
            .namespace
            .clone()
            .unwrap_or_else(|| "default".to_owned());
        let made = Made {
            kind,
            namespace: (capabilities.scope == Scope::Namespaced).then_some(namespace),
            name: name.clone(),
        };
        let api = made.api(client);
        let created = api.create(&PostParams::default(), object).await;
        created.map_err(in_words).with_context(failed)?;
        Ok(made)
    }
}

/// What the API server says, without the form in which it says it.
fn in_words(err: kube::Error) -> anyhow::Error {
    match err {
        kube::Error::Api(status) => anyhow::anyhow!(status.message),
        err => err.into(),
    }
}
