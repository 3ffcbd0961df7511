//! A namespace for each test.

use std::collections::BTreeMap;

use anyhow::Context as _;
use k8s_openapi::api::core::v1::Namespace;
use kube::{
    Api,
    api::{ObjectMeta, PostParams},
};

use super::Cluster;

impl Cluster {
    /// A fresh namespace, `<prefix>-<number>`. It stays until the server ends.
    ///
    /// # Panics
    /// If the API server refuses it, for example because of the prefix.
    pub async fn namespace(&self, prefix: &str) -> String {
        self.namespace_with_labels(prefix, &[]).await
    }

    /// A fresh namespace with labels, for example [`kubelet::OFF`](crate::kubelet::OFF).
    ///
    /// # Panics
    /// If the API server refuses it.
    pub async fn namespace_with_labels(&self, prefix: &str, labels: &[(&str, &str)]) -> String {
        let name = format!("{prefix}-{}", self.next());
        let labels: BTreeMap<_, _> = labels
            .iter()
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let namespace = Namespace {
            metadata: ObjectMeta {
                name: Some(name.clone()),
                labels: Some(labels),
                ..ObjectMeta::default()
            },
            ..Namespace::default()
        };
        let made = self
            .driver()
            .run(|client| async move {
                Api::all(client).create(&PostParams::default(), &namespace).await?;
                anyhow::Ok(())
            })
            .await
            .with_context(|| format!("create the namespace {name}"));
        if let Err(error) = made {
            panic!("{error:#}");
        }
        name
    }
}
