//! An `External` whose things are in the cloud.

/// What a resource in the cloud is asked for.
pub(crate) trait Wish {
    fn wanted(&self) -> bool {
        true
    }
    fn size(&self) -> u32;
    fn kept(&self, of_the_code: bool) -> bool {
        of_the_code
    }
}

/// A resource with one field, the cloud, and what it makes there.
macro_rules! in_cloud {
    ($resource:ident, $operator:ident, $object:ty, $kind:literal) => {
        impl External for $resource {
            type Operator = $operator;
            type State = ThingId;
            async fn wanted(&self, object: &$object, _cx: &Cx<Self>) -> Result<bool> {
                Ok(Wish::wanted(object))
            }
            fn keep_on_delete(&self, object: &$object) -> bool {
                use operatorkit::graph::Node as _;
                Wish::kept(object, Self::META.settings.keep)
            }
            async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<ThingId>> {
                self.0.find($kind, token).await
            }
            async fn observe(
                &self,
                object: &$object,
                state: &ThingId,
                _cx: &Cx<Self>,
            ) -> Result<Flow<Observed<ThingId>>> {
                self.0.observe($kind, state, object.size()).await
            }
            async fn create(&self, object: &$object, token: &Token, cx: &Cx<Self>) -> Result<Flow<ThingId>> {
                self.0
                    .look::<$object>(cx.client(), cx.namespace(), cx.name())
                    .await?;
                self.0.create($kind, token, object.size()).await
            }
            async fn update(&self, object: &$object, state: &ThingId, _cx: &Cx<Self>) -> Result<Flow<ThingId>> {
                self.0.update($kind, state, object.size()).await
            }
            async fn delete(&self, state: &ThingId, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0.delete($kind, state).await
            }
        }
    };
}
pub(crate) use in_cloud;
