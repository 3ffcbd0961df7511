//! Reading whole objects as their types: without ballast, and without a word about what does not decode in a Secret.

use kube::{Resource, api::GetParams};
use serde::de::DeserializeOwned;

use super::{
    Cluster, Failure, Kind, lean,
    requests::{built, found},
    target::{Target, Verb},
};

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
        let labels = Some(labels).filter(|labels| !labels.is_empty());
        let lean = |mut object: K| {
            lean::meta(object.meta_mut());
            Some(object)
        };
        self.list_pages(&target, kind, labels, false, lean).await
    }
}
