//! `buckets`, killed around each intent, State and removal: nothing at the provider is made twice or left behind.

use std::{fs, path::Path};

use operatorkit::{
    anyhow::ensure,
    kube::{
        ResourceExt as _,
        api::{DeleteParams, DynamicObject, PostParams},
    },
    serde_json::{json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, wait_for};

use super::Example;

const SLOTS: &str = "request.resource.resource == 'buckets' && has(request.subResource) && request.subResource == 'status' && has(object.status.operatorkit)";

/// The writes of a life, and what the provider's journal says when each is held: things are made and deleted between them.
fn creation() -> [(String, &'static [&'static str]); 6] {
    let state = "object.status.operatorkit.state";
    let live = format!("{SLOTS} && !has(object.metadata.deletionTimestamp)");
    [
        (
            "request.resource.resource == 'buckets' && !has(request.subResource) && !has(object.metadata.deletionTimestamp)".into(),
            &[],
        ),
        (format!("{live} && !has({state}.store.state)"), &[]),
        (format!("{live} && has({state}.store.state)"), &["create bucket"]),
        (
            format!("{live} && has({state}.policy) && !has({state}.policy.state)"),
            &["create bucket"],
        ),
        (
            format!("{live} && has({state}.policy) && has({state}.policy.state)"),
            &["create bucket", "create policy"],
        ),
        (
            "request.resource.resource == 'configmaps' && request.operation == 'CREATE'".into(),
            &["create bucket", "create policy"],
        ),
    ]
}

fn deletion() -> [(String, &'static [&'static str]); 4] {
    let terminating = format!("{SLOTS} && has(object.metadata.deletionTimestamp)");
    [
        (
            "request.resource.resource == 'configmaps' && request.operation == 'DELETE'".into(),
            &[],
        ),
        (
            format!("{terminating} && !has(object.status.operatorkit.state.store)"),
            &["delete bucket"],
        ),
        (
            format!("{terminating} && !has(object.status.operatorkit.state.policy)"),
            &["delete bucket", "delete policy"],
        ),
        (
            "request.resource.resource == 'buckets' && !has(request.subResource) && has(object.metadata.deletionTimestamp)".into(),
            &["delete bucket", "delete policy"],
        ),
    ]
}

/// Which object's life is killed where: the ConfigMap has a name of its own.
fn held() -> Vec<(String, String)> {
    let (creation, deletion) = (creation(), deletion());
    let rounds = (0..creation.len()).flat_map(|round| {
        let writes = [&creation[round].0, &deletion[round % deletion.len()].0];
        writes.map(|write| {
            let suffix = if write.contains("configmaps") { "-bucket" } else { "" };
            (format!("x{round}{suffix}"), write.clone())
        })
    });
    rounds.collect()
}

/// What was done at the provider, without the identifiers it chose.
fn journal(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("journal")).unwrap_or_default();
    let kinds = text
        .lines()
        .map(|line| line.rsplit_once('-').map_or(line, |(kind, _)| kind));
    kinds.map(str::to_owned).collect()
}

/// The things at the provider, unfinished ones included.
pub(super) fn things(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root)
        .expect("the provider is there")
        .map(|entry| entry.expect("the provider is there").file_name());
    let names = entries.map(|name| name.into_string().expect("UTF-8"));
    names.filter(|name| name != "journal").collect()
}

async fn buckets_survives_a_kill_before_each_of_its_writes(cluster: &'static Cluster) {
    let mut example = Example::new(cluster, "crash-buckets", "buckets", "Bucket", &held()).await;
    let root = example.scene.cluster.folder().join(&example.scene.namespace);
    example.env.push(("BUCKETS_DIR", root.clone()));
    for (round, (_, made)) in creation().iter().enumerate() {
        let name = format!("x{round}");
        example.kill_in_creation(&name, round, json!({ "quota": 1 })).await;
        assert_eq!(journal(&root), *made, "{name}");
        let ready = example.converge(&name).await;
        assert_eq!(
            journal(&root),
            ["create bucket", "create policy"],
            "{name}: each is made once"
        );
        assert_eq!(things(&root).len(), 2, "{name}");

        fs::remove_file(root.join("journal")).unwrap();
        let start = example.scene.mark().await;
        let (_, deleted) = deletion()[round % deletion().len()];
        example.kill_in_deletion(&name, round % deletion().len()).await;
        assert_eq!(journal(&root), deleted, "{name}");
        example.finish(&name).await;
        assert_eq!(journal(&root), ["delete bucket", "delete policy"], "{name}");
        assert!(things(&root).is_empty(), "{name}: {:?}", things(&root));
        let index = example.granted(start, "delete").await;
        assert_eq!(index.len(), 1, "{index}");
        example.assert_nothing_left(&ready.uid().unwrap()).await;
        fs::remove_file(root.join("journal")).unwrap();
    }
}

async fn a_kill_between_the_intent_and_the_create_neither_leaks_nor_doubles(cluster: &'static Cluster) {
    let mut example = Example::new(cluster, "crash-intent", "buckets", "Bucket", &[]).await;
    let root = example.scene.cluster.folder().join(&example.scene.namespace);
    example.env.push(("BUCKETS_DIR", root.clone()));
    let mut process = example.run_as(&example.free);
    wait_for("the provider is opened", PATIENCE, async || {
        ensure!(root.is_dir(), "{}", process.log());
        Ok(())
    })
    .await;
    // The provider is away: what was intended cannot be made.
    fs::remove_dir(&root).unwrap();
    let mut object = DynamicObject::new("x", &example.kind);
    object.data = json!({ "spec": { "quota": 1 } });
    example.objects.create(&PostParams::default(), &object).await.unwrap();
    let slot = wait_for("the create has failed", PATIENCE, async || {
        let object = to_value(example.objects.get("x").await?)?;
        ensure!(crate::scene::line(&object, "store")["phase"] == "Failed", "{object}");
        Ok(object["status"]["operatorkit"]["state"]["store"].clone())
    })
    .await;
    assert!(slot["uid"].is_string() && slot["state"].is_null(), "an intent: {slot}");
    process.kill();

    example.converge("x").await;
    assert_eq!(journal(&root), ["create bucket", "create policy"]);
    assert_eq!(things(&root).len(), 2);
    example.objects.delete("x", &DeleteParams::default()).await.unwrap();
    example.finish("x").await;
    assert!(things(&root).is_empty(), "{:?}", things(&root));

    // The same for an object that is deleted while its intent stands.
    let mut process = example.run_as(&example.free);
    process.wait_for_log("running", PATIENCE).await;
    fs::remove_dir_all(&root).unwrap();
    example.objects.create(&PostParams::default(), &object).await.unwrap();
    wait_for("the create has failed", PATIENCE, async || {
        let object = to_value(example.objects.get("x").await?)?;
        ensure!(crate::scene::line(&object, "store")["phase"] == "Failed", "{object}");
        Ok(())
    })
    .await;
    process.kill();
    example.objects.delete("x", &DeleteParams::default()).await.unwrap();
    example.finish("x").await;
    assert!(things(&root).is_empty(), "{:?}", things(&root));
    assert_eq!(journal(&root), [""; 0]);
}

crate::servers::on_both! {
    buckets_survives_a_kill_before_each_of_its_writes,
    a_kill_between_the_intent_and_the_create_neither_leaks_nor_doubles,
}
