//! The examples as processes, killed with `SIGKILL` between any two of their writes, and started again.

mod buckets;
mod gate;
mod release;
mod webapp;

use std::{collections::BTreeMap, path::PathBuf};

use operatorkit::{
    anyhow::ensure,
    kube::{
        Api, Discovery, Error, ResourceExt as _,
        api::{ApiResource, DeleteParams, DynamicObject, ListParams, PostParams},
        core::GroupVersionKind,
        discovery::{ApiGroup, Scope, verbs},
    },
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{
    Cluster, PATIENCE, Process,
    audit::{Mark, Requests},
    eventually, eventually_gone, example_binary, wait_for,
};

use self::gate::Gate;
use crate::scene::{Scene, condition};

/// An example, and the objects of its kind in the test's namespace.
struct Example {
    scene: Scene,
    program: PathBuf,
    env: Vec<(&'static str, PathBuf)>,
    objects: Api<DynamicObject>,
    kind: ApiResource,
    /// Holds the writes of the scene's user.
    gate: Gate,
    /// Whose writes nobody holds.
    free: String,
}

impl Example {
    /// Installs the CRD that the example prints, and sets up the gate: for each object's name, the writes that are held.
    async fn new(
        cluster: &'static Cluster,
        name: &'static str,
        example: &str,
        kind: &str,
        held: &[(String, String)],
    ) -> Self {
        let scene = Scene::on(cluster, name).await;
        let program = example_binary(example).expect("the example is built");
        scene.install_printed(&program).await;
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("demo.operatorkit.dev", "v1", kind));
        let objects = Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind);
        wait_for("the kind is served", PATIENCE, async || {
            Ok(objects.list(&ListParams::default()).await?)
        })
        .await;
        Self {
            gate: Gate::new(&scene, held).await,
            free: scene.cluster.new_admin(),
            env: Vec::new(),
            scene,
            program,
            objects,
            kind,
        }
    }

    /// Runs the example in the test's namespace.
    fn run_as(&self, user: &str) -> Process {
        let mut command = self.scene.cluster.command(&self.program, user);
        command.args(["run", "--namespace", &self.scene.namespace]);
        // Many run at the same time.
        command.args(["--metrics-address=0", "--health-address=0"]);
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
        self.scene.cluster.spawn(&command).expect("it starts")
    }

    /// Creates an object, and kills the example after so many writes, at the one that is held.
    async fn kill_in_creation(&mut self, name: &str, after: usize, spec: Value) {
        self.gate.close(after);
        let mut process = self.run_as(&self.scene.user);
        let mut object = DynamicObject::new(name, &self.kind);
        object.data = json!({ "spec": spec });
        self.objects
            .create(&PostParams::default(), &object)
            .await
            .expect("accepted");
        self.gate.reached(&process).await;
        process.kill();
    }

    /// Deletes an object, and kills the example after so many writes, at the one that is held.
    async fn kill_in_deletion(&mut self, name: &str, after: usize) {
        self.gate.close(after);
        let mut process = self.run_as(&self.scene.user);
        self.objects
            .delete(name, &DeleteParams::default())
            .await
            .expect("accepted");
        self.gate.reached(&process).await;
        process.kill();
    }

    /// Starts it again until the object is ready, and kills it once more.
    async fn converge(&self, name: &str) -> DynamicObject {
        let mut process = self.run_as(&self.free);
        let ready = eventually(&self.objects, name, "is ready", PATIENCE, |object| {
            let object = to_value(object).expect("JSON");
            condition(&object, "Ready")["status"] == "True"
        })
        .await;
        process.kill();
        ready
    }

    /// Starts it again until the object is gone, and ends it.
    async fn finish(&self, name: &str) {
        let mut process = self.run_as(&self.free);
        eventually_gone(&self.objects, name, PATIENCE).await;
        process.terminate();
        process.wait(PATIENCE).await;
    }

    /// What both users were granted of a verb since a mark, watches and Events apart.
    async fn granted(&self, since: Mark, verb: &str) -> Requests {
        let requests = self.scene.cluster.audit().since(since).await;
        requests
            .in_namespace(&self.scene.namespace)
            .verb(verb)
            .filter(|request| {
                [&self.scene.user, &self.free].contains(&&request.user)
                    && (200..300).contains(&request.code)
                    && request.object.resource != "events"
            })
    }

    /// Everything in the namespace that carries the label of an owner, of any kind, by name and with its UID.
    async fn owned_by(&self, uid: &str) -> operatorkit::Result<BTreeMap<String, String>> {
        let label = ListParams::default().labels(&format!("operatorkit.dev/owner-uid={uid}"));
        let mut owned = BTreeMap::new();
        for kind in self.listable().await? {
            let api = Api::<DynamicObject>::namespaced_with(self.scene.client.clone(), &self.scene.namespace, &kind);
            let found = match api.list_metadata(&label).await {
                // A kind of another test, which has ended meanwhile.
                Err(Error::Api(status)) if status.code == 404 => continue,
                found => found?,
            };
            owned.extend(found.into_iter().map(|it| {
                let uid = it.uid().unwrap_or_default();
                (format!("{}/{}", kind.kind, it.name_any()), uid)
            }));
        }
        Ok(owned)
    }

    /// Every namespaced kind that can be listed, Events apart.
    async fn listable(&self) -> operatorkit::Result<Vec<ApiResource>> {
        let discovery = Discovery::new(self.scene.client.clone()).run().await?;
        let kinds = discovery.groups().flat_map(ApiGroup::recommended_resources);
        let wanted = kinds.filter(|(kind, can)| {
            can.scope == Scope::Namespaced && can.supports_operation(verbs::LIST) && kind.plural != "events"
        });
        Ok(wanted.map(|(kind, _)| kind).collect())
    }

    /// What an object owns, without what copies the label from a Service.
    async fn children_of(&self, uid: &str) -> BTreeMap<String, String> {
        let mut owned = self.owned_by(uid).await.expect("a list");
        owned.retain(|name, _| !name.starts_with("Endpoint"));
        owned
    }

    /// Waits until nothing is left of an object: what copies the label from a child goes a moment after the child.
    async fn assert_nothing_left(&self, uid: &str) {
        wait_for("nothing is left", PATIENCE, async || {
            let left = self.owned_by(uid).await?;
            ensure!(left.is_empty(), "{left:?}");
            Ok(())
        })
        .await;
    }
}
