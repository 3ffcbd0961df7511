//! `release`, killed before each of its writes: what is not released yet stays whole, and the next run goes on.

use std::fs;

use operatorkit::{
    kube::{
        ResourceExt as _,
        api::{DeleteParams, DynamicObject, PostParams},
    },
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, Process, eventually_gone};

use super::{Example, buckets::things};
use crate::release::ours;

/// The writes of a release, in their order: the child, what is stored, the finalizer.
const WRITES: [&str; 3] = [
    "request.resource.resource == 'configmaps' && request.operation == 'UPDATE' && !has(object.metadata.labels)",
    "request.resource.resource == 'buckets' && has(request.subResource) && request.subResource == 'status' && \
     has(oldObject.status.operatorkit) && !has(object.status.operatorkit)",
    "request.resource.resource == 'buckets' && !has(request.subResource) && request.operation == 'UPDATE' && \
     has(oldObject.metadata.finalizers) && !has(object.metadata.finalizers)",
];

fn held() -> Vec<(String, String)> {
    let writes = WRITES.iter().enumerate().map(|(round, write)| {
        let suffix = if write.contains("configmaps") { "-bucket" } else { "" };
        (format!("x{round}{suffix}"), (*write).to_owned())
    });
    writes.collect()
}

impl Example {
    /// `release` in the test's namespace.
    fn release_as(&self, user: &str) -> Process {
        let mut command = self.scene.cluster.command(&self.program, user);
        command.args(["release", "--namespace", &self.scene.namespace]);
        self.scene.cluster.spawn(&command).expect("it starts")
    }

    /// What is left of ours on the child, in what is stored, and on the object.
    async fn left(&self, name: &str) -> [bool; 3] {
        let object = to_value(self.objects.get(name).await.expect("it stays")).expect("JSON");
        let maps = self
            .scene
            .children::<operatorkit::k8s_openapi::api::core::v1::ConfigMap>("")
            .await;
        let stored = &object["status"]["operatorkit"];
        let finalizers = &object["metadata"]["finalizers"];
        [
            !ours(&maps[&format!("{name}-bucket")]).is_empty(),
            stored.is_object(),
            *finalizers != Value::Null,
        ]
    }
}

async fn a_release_that_is_killed_before_any_write_is_gone_on_with(cluster: &'static Cluster) {
    let mut example = Example::new(cluster, "crash-release", "buckets", "Bucket", &held()).await;
    let root = example.scene.cluster.folder().join(&example.scene.namespace);
    example.env.push(("BUCKETS_DIR", root.clone()));
    for round in 0..WRITES.len() {
        let name = &format!("x{round}");
        let mut object = DynamicObject::new(name, &example.kind);
        object.data = json!({ "spec": { "quota": 1 } });
        example
            .objects
            .create(&PostParams::default(), &object)
            .await
            .expect("accepted");
        let made = example.converge(name).await;
        let before = things(&root);

        let start = example.scene.mark().await;
        example.gate.close(round);
        let mut process = example.release_as(&example.scene.user);
        example.gate.reached(&process).await;
        process.kill();
        let done = example.granted(start, "patch").await;
        assert_eq!(done.len(), round, "killed after write {round}:\n{done}");
        let left = example.left(name).await;
        assert_eq!(left, [round < 1, round < 2, round < 3], "{name}: in this order");

        let mut process = example.release_as(&example.free);
        let status = process.wait(PATIENCE).await;
        assert!(status.success(), "{}", process.log());
        let done = example.granted(start, "patch").await;
        assert_eq!(done.len(), WRITES.len(), "each once:\n{done}");
        let deleted = example.granted(start, "delete").await;
        assert!(deleted.is_empty(), "{deleted}");
        assert_eq!(example.left(name).await, [false; 3]);
        assert_eq!(example.objects.get(name).await.unwrap().uid(), made.uid());
        assert_eq!(things(&root), before, "at the provider nothing was done");
        example
            .objects
            .delete(name, &DeleteParams::default())
            .await
            .expect("deleted");
        eventually_gone(&example.objects, name, PATIENCE).await;
        fs::remove_dir_all(&root).expect("removed");
    }
}

crate::servers::on_both! {
    a_release_that_is_killed_before_any_write_is_gone_on_with,
}
