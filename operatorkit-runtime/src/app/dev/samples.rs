//! The objects that are made to be reconciled.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use kube::core::{DynamicObject, TypeMeta};
use serde_json::Value;

use crate::cluster::{Cluster, Failure, Kind, Part, PropagationPolicy};

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
    pub(super) kind: Kind,
    pub(super) namespace: Option<String>,
    pub(super) name: String,
}

impl Made {
    /// What is there of it.
    pub(super) async fn live(&self, cluster: &Cluster) -> anyhow::Result<Option<DynamicObject>> {
        let namespace = self.namespace.as_deref();
        let live = cluster
            .get_part(&self.kind, namespace, &self.name, Part::Metadata)
            .await;
        told(live)
    }

    /// Lets it go, if it is there.
    pub(super) async fn delete(&self, cluster: &Cluster) -> anyhow::Result<()> {
        let Some(uid) = self.live(cluster).await?.and_then(|live| live.metadata.uid) else {
            return Ok(());
        };
        let namespace = self.namespace.as_deref();
        let policy = PropagationPolicy::Background;
        let deleted = cluster.delete(&self.kind, namespace, &self.name, &uid, policy).await;
        told(deleted).map(drop)
    }
}

impl Sample {
    /// Makes it, in the namespace `default` if it does not say in which.
    pub(super) async fn make(&self, cluster: &Cluster) -> anyhow::Result<Made> {
        let Self(object) = self;
        let name = object.metadata.name.clone().unwrap_or_default();
        let TypeMeta { api_version, kind } = object.types.clone().unwrap_or_default();
        let found = told(cluster.resolve(&api_version, &kind).await)?;
        let kind = found.with_context(|| {
            format!(
                "cannot create the {kind} {name}: the API server does not serve this kind in {api_version}; make its \
                 CustomResourceDefinition first"
            )
        })?;
        let namespace = object.metadata.namespace.clone();
        let namespace = namespace.unwrap_or_else(|| "default".to_owned());
        let made = Made {
            namespace: kind.namespaced.then_some(namespace),
            kind,
            name,
        };
        let created = cluster.create(&made.kind, made.namespace.as_deref(), &made.name, object);
        told(created.await)?;
        Ok(made)
    }
}

/// An answer, or why there is none, in the words that an operator has for it.
pub(super) fn told<T>(answer: Result<T, Failure>) -> anyhow::Result<T> {
    answer.map_err(|failure| match failure.remedy() {
        Some(remedy) => anyhow!("cannot {failure}: {remedy}"),
        None => anyhow!("cannot {failure}"),
    })
}
