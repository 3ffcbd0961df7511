//! Creates, applies and patches.

use kube::{
    api::{Patch, PatchParams, PostParams},
    core::DynamicObject,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Cluster, Failure, Kind, Op, lean,
    requests::built,
    target::{Target, Verb},
};

impl Cluster {
    /// Creates an object by a POST; a conflict if there is one of its name.
    pub(crate) async fn create<K>(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        object: &K,
    ) -> Result<K, Failure>
    where
        K: Serialize + DeserializeOwned,
    {
        let target = Target::of(Verb::Create, kind, namespace, name);
        let body = serialised(&target, object)?;
        let request = Self::at(&target, kind)?.create(&self.posted(), body);
        self.send(target.clone(), built(&target, request)?).await
    }

    /// Creates an object by an apply that is never an update: with `resourceVersion` 1, which no object has (tried on 1.37:
    /// a conflict where there is one, also with force).
    pub(crate) async fn create_apply(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        body: &Value,
    ) -> Result<DynamicObject, Failure> {
        let object = self.create_owning(kind, namespace, name, body).await?;
        Ok(lean::object(kind, object))
    }

    /// The same; the answer also tells who owns which field.
    pub(crate) async fn create_owning(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        body: &Value,
    ) -> Result<DynamicObject, Failure> {
        let mut body = body.clone();
        body["metadata"]["resourceVersion"] = json!("1");
        let target = Target::of(Verb::Patch, kind, namespace, name);
        self.patch_whole(target, kind, None, &self.forced(""), &Patch::Apply(body))
            .await
    }

    /// Changes an object by a forced apply that never creates: `metadata.uid` in the body says which (tried on 1.37: a
    /// conflict where there is none, [`Failure::is_other_uid`] where it is another). With a `resourceVersion` beside it, a conflict
    /// where anything has changed since.
    pub(crate) async fn update_apply(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        body: &Value,
    ) -> Result<DynamicObject, Failure> {
        let target = Target::of(Verb::Patch, kind, namespace, name);
        if !body["metadata"]["uid"].is_string() {
            return Err(Failure::unsendable(target, "an update names the UID"));
        }
        self.patch(target, kind, None, &self.forced(""), &Patch::Apply(body))
            .await
    }

    /// Applies an object as anybody would, which creates it where there is none. `try_only`: the server says what would come of it, and
    /// stores nothing.
    pub(crate) async fn apply(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        body: &Value,
        force: bool,
        try_only: bool,
    ) -> Result<DynamicObject, Failure> {
        let target = Target::of(Verb::Patch, kind, namespace, name);
        let params = PatchParams {
            force,
            dry_run: try_only,
            ..PatchParams::apply(self.manager())
        };
        self.patch(target, kind, None, &params, &Patch::Apply(body)).await
    }

    /// Changes the status by a forced apply, under a field manager of its own: what is left out of a status must not take
    /// with it what another apply owns.
    pub(crate) async fn apply_status(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        body: &Value,
    ) -> Result<DynamicObject, Failure> {
        let target = Target::of(Verb::Patch, kind, namespace, name);
        self.patch(
            target,
            kind,
            Some("status"),
            &self.forced("/status"),
            &Patch::Apply(body),
        )
        .await
    }

    /// Changes an object or its subresource by a JSON patch.
    pub(crate) async fn json_patch(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        subresource: Option<&str>,
        ops: Vec<Op>,
    ) -> Result<DynamicObject, Failure> {
        let target = Target::of(Verb::Patch, kind, namespace, name);
        let params = PatchParams {
            field_manager: Some(self.manager().to_owned()),
            ..PatchParams::default()
        };
        // kube's own variant wants the types of a crate that is not needed for this.
        let ops = serde_json::to_value(ops).and_then(serde_json::from_value);
        let ops = ops.map_err(|err| Failure::unsendable(target.clone(), err.to_string()))?;
        self.patch(target, kind, subresource, &params, &Patch::<()>::Json(ops))
            .await
    }

    async fn patch<P: Serialize>(
        &self,
        target: Target,
        kind: &Kind,
        subresource: Option<&str>,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<DynamicObject, Failure> {
        let object = self.patch_whole(target, kind, subresource, params, patch).await?;
        Ok(lean::object(kind, object))
    }

    async fn patch_whole<P: Serialize>(
        &self,
        target: Target,
        kind: &Kind,
        subresource: Option<&str>,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<DynamicObject, Failure> {
        let target = target.with_subresource(subresource);
        let requests = Self::at(&target, kind)?;
        let request = match subresource {
            Some(subresource) => requests.patch_subresource(subresource, &target.name, params, patch),
            None => requests.patch(&target.name, params, patch),
        };
        let request = built(&target, request)?;
        self.send(target, request).await
    }

    pub(super) fn posted(&self) -> PostParams {
        PostParams {
            field_manager: Some(self.manager().to_owned()),
            ..PostParams::default()
        }
    }

    /// Field validation is left at the server's default: an apply is refused for a field that the schema does not have
    /// whatever it says (tried on 1.37 with Ignore, Warn and Strict), so no typo is dropped silently.
    fn forced(&self, suffix: &str) -> PatchParams {
        PatchParams::apply(&format!("{}{suffix}", self.manager())).force()
    }
}

/// An object as it is sent.
pub(super) fn serialised(target: &Target, object: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(object).map_err(|err| Failure::unsendable(target.clone(), err.to_string()))
}
