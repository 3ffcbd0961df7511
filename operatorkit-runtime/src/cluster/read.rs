//! Reading whole objects as their types: without ballast, and without a word about what does not decode in a Secret.

use kube::{Resource, api::GetParams, core::ObjectList};
use serde::de::DeserializeOwned;

use super::{
    Cluster, Failure, Kind, lean,
    requests::{built, found, page},
    target::{Target, Verb},
};

/// How often a list starts anew because the server gave its pages up.
const LISTS: usize = 3;

impl Cluster {
    /// Reads an object as its type; `None` if there is none of that name.
    ///
    /// # Errors
    /// Also if the kind is not served: that says nothing about the object.
    pub(crate) async fn read<K>(&self, kind: &Kind, namespace: Option<&str>, name: &str) -> Result<Option<K>, Failure>
    where
        K: Resource + DeserializeOwned,
    {
        let target = Target::of(Verb::Get, kind, namespace, name);
        let request = Self::at(&target, kind)?.get(name, &GetParams::default());
        let mut found = found(self.send::<K>(target.clone(), built(&target, request)?).await)?;
        if let Some(object) = &mut found {
            lean::meta(object.meta_mut());
        }
        Ok(found)
    }

    /// Reads the objects with these labels (a label selector), in one namespace or in all, page by page, as they are stored now.
    pub(crate) async fn read_all<K>(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        labels: &str,
    ) -> Result<Vec<K>, Failure>
    where
        K: Resource + Clone + DeserializeOwned,
    {
        let target = Target::all(Verb::List, kind, namespace);
        for _ in 1..LISTS {
            match self.read_pages(&target, kind, labels).await {
                Err(failure) if failure.is_expired() => {}
                answer => return answer,
            }
        }
        self.read_pages(&target, kind, labels).await
    }

    async fn read_pages<K>(&self, target: &Target, kind: &Kind, labels: &str) -> Result<Vec<K>, Failure>
    where
        K: Resource + Clone + DeserializeOwned,
    {
        let mut all = Vec::new();
        let mut params = page(Some(labels).filter(|labels| !labels.is_empty()));
        loop {
            let listed: ObjectList<K> = self.list_page(target, kind, &params, false).await?;
            all.extend(listed.items.into_iter().map(|mut object| {
                lean::meta(object.meta_mut());
                object
            }));
            params.continue_token = listed.metadata.continue_.filter(|token| !token.is_empty());
            if params.continue_token.is_none() {
                return Ok(all);
            }
        }
    }
}
