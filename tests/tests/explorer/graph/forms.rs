//! The resources of a graph that is made at run time: one of each trait, for each slot.

use std::{marker::PhantomData, sync::atomic::Ordering, time::Duration};

use operatorkit::{
    Child,
    graph::{Meta, Node},
    prelude::*,
    serde_json::{from_value, json},
};

use super::{Garden, Ground, NAMES, Place, Random};

/// Children of one kind; those that are `IMMUTABLE` are made again instead of changed.
pub(super) struct Made<const SLOT: usize, K, const IMMUTABLE: bool = false> {
    place: Place,
    ground: Ground,
    kind: PhantomData<fn() -> K>,
}

impl<const SLOT: usize, K, const IMMUTABLE: bool> Made<SLOT, K, IMMUTABLE> {
    pub(super) fn new(place: Place, ground: Ground) -> Self {
        Self {
            place,
            ground,
            kind: PhantomData,
        }
    }
}

impl<const SLOT: usize, K: 'static, const IMMUTABLE: bool> Node for Made<SLOT, K, IMMUTABLE> {
    const NAME: &'static str = NAMES[SLOT];
    const META: Meta = {
        let meta = Meta::new(NAMES[SLOT]).order(0).delete_order(0);
        if IMMUTABLE { meta.recreate() } else { meta }
    };
}

impl<const SLOT: usize, K: Child, const IMMUTABLE: bool> Manifest for Made<SLOT, K, IMMUTABLE> {
    type Operator = Random;
    type Object = K;

    async fn desired(&self, garden: &Garden, cx: &Cx<Self>) -> Result<Desired<K>> {
        if self.place.waits && !self.ground.waited[SLOT].swap(true, Ordering::Relaxed) {
            return Ok(Desired::wait_for(Duration::from_secs(5), "it takes some seconds"));
        }
        let count = self.place.children[usize::from(garden.spec.changed)];
        let child = |nth: usize| {
            let name = cx.child_name(&format!("{}{nth}", NAMES[SLOT]));
            let text = garden.spec.changed.to_string();
            // Each kind takes from it what it knows.
            let mut child = json!({
                "metadata": { "name": name, "annotations": { "demo.operatorkit.dev/changed": text } },
                "spec": { "ports": [{ "name": "web", "port": 80 }] },
            });
            if IMMUTABLE {
                child["immutable"] = true.into();
                child["data"] = json!({ "changed": text });
            }
            Ok(from_value(child)?)
        };
        let children: Result<Vec<K>> = (0..count).map(child).collect();
        Ok(children?.into())
    }

    fn keep_on_delete(&self, _: &Garden) -> bool {
        self.place.keeps
    }
}

/// Something outside of Kubernetes.
pub(super) struct Thing<const SLOT: usize> {
    pub(super) place: Place,
    pub(super) ground: Ground,
}

impl<const SLOT: usize> Node for Thing<SLOT> {
    const NAME: &'static str = NAMES[SLOT];
    const META: Meta = Meta::new(NAMES[SLOT]).order(0).delete_order(0);
}

impl<const SLOT: usize> External for Thing<SLOT> {
    type Operator = Random;
    type State = String;

    async fn wanted(&self, garden: &Garden, _: &Cx<Self>) -> Result<bool> {
        Ok(self.place.children[usize::from(garden.spec.changed)] > 0)
    }

    fn keep_on_delete(&self, _: &Garden) -> bool {
        self.place.keeps
    }

    async fn find(&self, token: &Token, _: &DeleteCx<Self>) -> Result<Option<String>> {
        Ok(self.ground.cloud.find(NAMES[SLOT], token.as_str()))
    }

    async fn observe(&self, garden: &Garden, id: &String, _: &Cx<Self>) -> Result<Flow<Observed<String>>> {
        let content = json!(garden.spec.changed);
        Ok(match self.ground.cloud.read(id) {
            None => Observed::Absent,
            Some(known) if known == content => Observed::Matches(id.clone()),
            Some(_) => Observed::Differs(id.clone()),
        }
        .into())
    }

    async fn create(&self, garden: &Garden, token: &Token, _: &Cx<Self>) -> Result<Flow<String>> {
        let content = json!(garden.spec.changed);
        Ok(self.ground.cloud.create(NAMES[SLOT], token.as_str(), content).into())
    }

    async fn update(&self, garden: &Garden, id: &String, _: &Cx<Self>) -> Result<Flow<String>> {
        self.ground.cloud.update(id, json!(garden.spec.changed));
        Ok(id.clone().into())
    }

    async fn delete(&self, id: &String, _: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.ground.cloud.delete(id);
        Ok(().into())
    }
}

/// Something that is done and undone, as often as one likes.
pub(super) struct Deed<const SLOT: usize> {
    pub(super) ground: Ground,
}

impl<const SLOT: usize> Node for Deed<SLOT> {
    const NAME: &'static str = NAMES[SLOT];
    const META: Meta = Meta::new(NAMES[SLOT]).order(0).delete_order(0);
}

impl<const SLOT: usize> Step for Deed<SLOT> {
    type Operator = Random;
    type Output = ();

    async fn ensure_created(&self, garden: &Garden, cx: &Cx<Self>) -> Result<Flow<()>> {
        let (cloud, content) = (&self.ground.cloud, json!(garden.spec.changed));
        let tag = format!("{}-{}", cx.name(), NAMES[SLOT]);
        match cloud.find(NAMES[SLOT], &tag) {
            Some(id) if cloud.read(&id) == Some(content.clone()) => {}
            Some(id) => drop(cloud.update(&id, content)),
            None => drop(cloud.create(NAMES[SLOT], &tag, content)),
        }
        Ok(().into())
    }

    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        let tag = format!("{}-{}", cx.name(), NAMES[SLOT]);
        if let Some(id) = self.ground.cloud.find(NAMES[SLOT], &tag) {
            self.ground.cloud.delete(&id);
        }
        Ok(().into())
    }
}
