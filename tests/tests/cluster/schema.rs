//! What the API server takes by the schema of a kind, and what it refuses.

mod defaults;
mod forms;
mod kept;
mod large;
mod numbers;
mod rules;
mod webapp;

use operatorkit::{
    kube::{
        Api, CustomResourceExt, Error, Resource,
        api::{Patch, PatchParams, PostParams},
        core::{DynamicObject, NamespaceResourceScope},
    },
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::Cluster;

use crate::scene::Scene;

/// A resource that does nothing: only the kind is looked at.
macro_rules! idle {
    ($resource:ident of $operator:ident) => {
        #[operatorkit::resource]
        pub(crate) struct $resource;

        impl operatorkit::Step for $resource {
            type Operator = $operator;
            type Output = ();
            async fn ensure_created(
                &self,
                _: &$operator,
                _: &operatorkit::Cx<Self>,
            ) -> operatorkit::Result<operatorkit::Flow<()>> {
                Ok(().into())
            }
        }
    };
}
use idle;

/// A kind that is served, and whose objects are written as JSON, whatever their type says.
struct Written {
    api: Api<DynamicObject>,
    kind: Value,
}

impl Written {
    /// Installs the definition, which the server thus accepts.
    async fn of<K>(cluster: &'static Cluster, name: &'static str) -> Self
    where
        K: CustomResourceExt + Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    {
        let scene = Scene::on(cluster, name).await;
        scene.install::<K>().await;
        Self::served::<K>(&scene)
    }

    fn served<K>(scene: &Scene) -> Self
    where
        K: CustomResourceExt + Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    {
        Self {
            api: Api::namespaced_with(scene.client.clone(), &scene.namespace, &K::api_resource()),
            kind: json!({ "apiVersion": K::api_version(&()), "kind": K::kind(&()) }),
        }
    }

    /// Creates an object with this spec. The answer: the spec as it is stored, or why it is refused.
    async fn create(&self, name: &str, spec: Value) -> Result<Value, String> {
        let mut object = self.kind.clone();
        object["metadata"] = json!({ "name": name });
        object["spec"] = spec;
        let object: DynamicObject = from_value(object).expect("an object");
        spec_of(self.api.create(&PostParams::default(), &object).await)
    }

    /// Changes the spec by a merge patch; the same answer.
    async fn change(&self, name: &str, spec: Value) -> Result<Value, String> {
        let patch = Patch::Merge(json!({ "spec": spec }));
        spec_of(self.api.patch(name, &PatchParams::default(), &patch).await)
    }

    /// Applies an object with this spec by server-side apply; the same answer.
    async fn apply(&self, name: &str, spec: Value) -> Result<Value, String> {
        let mut object = self.kind.clone();
        object["metadata"] = json!({ "name": name });
        object["spec"] = spec;
        let params = PatchParams::apply("test").force();
        spec_of(self.api.patch(name, &params, &Patch::Apply(object)).await)
    }
}

fn spec_of(answer: Result<DynamicObject, Error>) -> Result<Value, String> {
    match answer {
        Ok(object) => Ok(to_value(object).expect("JSON")["spec"].clone()),
        Err(Error::Api(status)) if status.code == 422 => Err(status.message.clone()),
        Err(err) => panic!("{err}"),
    }
}
