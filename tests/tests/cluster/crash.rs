//! The examples as processes, killed with `SIGKILL` between any two of their writes, and started again.

mod buckets;
mod gate;
mod webapp;

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command};

use operatorkit::{
    anyhow::{Context as _, ensure},
    kube::{
        Api,
        api::{ApiResource, DeleteParams, DynamicObject, ListParams, PostParams},
        core::GroupVersionKind,
    },
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{
    PATIENCE, Process,
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
    async fn new(name: &'static str, example: &str, kind: &str, held: &[(String, String)]) -> Option<Self> {
        let scene = Scene::new(name).await?;
        let program = example_binary(example).expect("the example is built");
        let crd = Command::new(&program).arg("crd").output().expect("it prints its CRD");
        let file = scene.cluster.folder().join(format!("{}.yaml", scene.namespace));
        fs::write(&file, &crd.stdout).expect("a file");
        let mut apply = scene.cluster.kubectl();
        apply.args(["apply", "--server-side", "--force-conflicts", "--filename"]);
        let applied = apply.arg(&file).output().expect("kubectl runs");
        assert!(applied.status.success(), "{applied:?}");
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("demo.operatorkit.dev", "v1", kind));
        let objects = Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind);
        wait_for("the kind is served", PATIENCE, async || {
            Ok(objects.list(&ListParams::default()).await?)
        })
        .await;
        Some(Self {
            gate: Gate::new(&scene, held).await,
            free: scene.cluster.new_admin(),
            env: Vec::new(),
            scene,
            program,
            objects,
            kind,
        })
    }

    /// Runs the example in the test's namespace.
    fn run_as(&self, user: &str) -> Process {
        let mut command = self.scene.cluster.command(&self.program, user);
        command.args(["run", "--namespace", &self.scene.namespace]);
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
        self.scene.cluster.spawn(&command).expect("it starts")
    }

    /// Creates an object, and kills the example at the write that is held.
    async fn kill_in_creation(&mut self, name: &str, spec: Value) {
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

    /// Deletes an object, and kills the example at the write that is held.
    async fn kill_in_deletion(&mut self, name: &str) {
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
    fn owned_by(&self, uid: &str) -> operatorkit::Result<BTreeMap<String, String>> {
        let kubectl = |args: &[&str]| {
            let output = self.scene.cluster.kubectl().args(args).output()?;
            ensure!(output.status.success(), "{output:?}");
            operatorkit::Result::Ok(String::from_utf8(output.stdout)?)
        };
        let kinds = kubectl(&["api-resources", "--namespaced", "--verbs=list", "--output=name"])?;
        let kinds: Vec<_> = kinds.lines().filter(|kind| !kind.starts_with("events")).collect();
        let selector = format!("operatorkit.dev/owner-uid={uid}");
        let found = kubectl(&[
            "--namespace",
            &self.scene.namespace,
            "get",
            &kinds.join(","),
            "--selector",
            &selector,
            "--output=jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid}{\"\\n\"}{end}",
        ])?;
        let pairs = found.lines().map(|line| line.split_once(' ').context("two words"));
        pairs
            .map(|pair| pair.map(|(name, uid)| (name.to_owned(), uid.to_owned())))
            .collect()
    }

    /// What an object owns, without what copies the label from a Service.
    fn children_of(&self, uid: &str) -> BTreeMap<String, String> {
        let mut owned = self.owned_by(uid).expect("a list");
        owned.retain(|name, _| !name.starts_with("Endpoint"));
        owned
    }

    /// Waits until nothing is left of an object: what copies the label from a child goes a moment after the child.
    async fn assert_nothing_left(&self, uid: &str) {
        wait_for("nothing is left", PATIENCE, async || {
            let left = self.owned_by(uid)?;
            ensure!(left.is_empty(), "{left:?}");
            Ok(())
        })
        .await;
    }
}
