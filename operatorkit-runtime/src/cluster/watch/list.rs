//! The list that a watch begins with.

use kube::core::DynamicObject;

use super::{Sink, Stage, Watch};
use crate::cluster::{
    Failure, lean,
    requests::page,
    target::{Target, Verb},
};

impl<S: Sink + ?Sized> Watch<S> {
    /// Lists everything, page by page. Returns the version to go on from.
    ///
    /// Without a version of its own, so that the server answers what is stored now, not an older cache.
    pub(super) async fn list(&mut self) -> Result<String, Failure> {
        let target = Target::all(Verb::List, &self.kind, self.namespace.as_deref());
        let mut params = page(self.shown.labels.as_deref());
        params.field_selector.clone_from(&self.shown.fields);
        self.sink.begin();
        loop {
            let listed = self
                .cluster
                .list_page::<DynamicObject>(&target, &self.kind, &params, self.shown.metadata_only)
                .await?;
            for object in listed.items {
                self.sink.seen(lean::object(&self.kind, object));
            }
            params.continue_token = listed.metadata.continue_.filter(|token| !token.is_empty());
            if params.continue_token.is_some() {
                continue;
            }
            let Some(version) = listed.metadata.resource_version.filter(|version| !version.is_empty()) else {
                return Err(Failure::senseless(
                    target,
                    "the list has no resourceVersion to go on from",
                ));
            };
            self.health.listed();
            self.works(Stage::List);
            self.sink.filled();
            return Ok(version);
        }
    }
}
