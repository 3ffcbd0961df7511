//! What goes wrong: nothing is half released, nothing holds up the rest, and a repetition finishes it.

use operatorkit::kube::ResourceExt as _;
use operatorkit_testing::{
    apiserver::fault::{Effect, Fault, Faults, Matching},
    example_binary,
};

use super::{Buckets, children, made, ours, release};
use crate::{scene::Scene, servers::embedded};

fn faults() -> &'static Faults {
    embedded().faults().expect("an embedded server")
}

fn writes(scene: &Scene) -> Matching {
    Matching::writes().user(&scene.user).namespace(&scene.namespace)
}

#[tokio::test]
async fn what_fails_does_not_stop_the_others_and_keeps_its_object() {
    let webapps = made(embedded(), "release-fails", &["x", "y"]).await;
    let scene = &webapps.scene;
    let broken = Matching::name(writes(scene), "y-settings");
    let fault = faults().add(Fault::new(broken, Effect::internal_error()));
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    let ns = &scene.namespace;
    for part in [
        format!("ConfigMap {ns}/y-settings: "),
        format!("WebApp.demo.operatorkit.dev {ns}/y keeps its finalizer: not all of its children are released"),
        "not everything is released: see the 2 messages above".to_owned(),
    ] {
        assert!(said.errors.contains(&part), "{part}: {said:?}");
    }
    assert!(ours(&webapps.api.get("x").await.expect("it is there")).is_empty());
    let y = webapps.api.get("y").await.expect("it is there");
    let key = "operatorkit.dev/inventory.webapps.demo.operatorkit.dev";
    assert!(!y.finalizers().is_empty() && y.annotations().contains_key(key), "{y:?}");
    for (name, child) in children(scene).await {
        assert_eq!(ours(&child).is_empty(), name != "ConfigMap/y-settings", "{name}");
    }

    faults().remove(fault);
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(
        (said.code, said.lines.len()),
        (Some(0), 2),
        "only what was left: {said:?}"
    );
    assert!(ours(&webapps.api.get("y").await.expect("it is there")).is_empty());
}

/// What cannot be looked for may be anybody's child.
#[tokio::test]
async fn while_a_kind_cannot_be_listed_objects_keep_their_finalizers() {
    let webapps = made(embedded(), "release-unseen", &["x"]).await;
    let scene = &webapps.scene;
    let lists = Matching::verbs(["list"]).user(&scene.user).resource("services");
    let fault = faults().add(Fault::new(lists, Effect::unavailable()));
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(
        (said.code, said.lines.len()),
        (Some(1), 2),
        "its other children: {said:?}"
    );
    assert!(
        said.errors
            .contains("keeps its finalizer: its children of the kind Service could not be looked for"),
        "{said:?}"
    );
    assert!(!webapps.api.get("x").await.expect("it is there").finalizers().is_empty());
    faults().remove(fault);
    let said = release(scene, "webapp", &[]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 2), "{said:?}");
}

#[tokio::test]
async fn what_changes_meanwhile_is_looked_at_again() {
    let webapps = made(embedded(), "release-conflict", &["x"]).await;
    let scene = &webapps.scene;
    for name in ["x-settings", "x"] {
        let fault = Fault::new(writes(scene).name(name), Effect::conflict()).once();
        let _once = faults().add(fault);
    }
    let said = release(scene, "webapp", &[]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "{said:?}");
    let again = made(embedded(), "release-busy", &["x"]).await;
    let always = faults().add(Fault::new(
        writes(&again.scene).resource("webapps.demo.operatorkit.dev"),
        Effect::conflict(),
    ));
    let said = release(&again.scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.errors.contains("/x: it changes too fast to be released"),
        "{said:?}"
    );
    faults().remove(always);
}

/// A server that carries out the last write, and does not come to say so.
#[tokio::test]
async fn an_answer_that_is_lost_is_no_harm() {
    let webapps = made(embedded(), "release-answer", &["x"]).await;
    let scene = &webapps.scene;
    let lost = writes(scene).resource("webapps.demo.operatorkit.dev");
    let _once = faults().add(Fault::new(lost, Effect::DoneButDropped).once());
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    let said = release(scene, "webapp", &[]).await;
    assert_eq!(
        (said.code, said.lines),
        (Some(0), vec!["nothing to release".to_owned()])
    );
    assert!(ours(&webapps.api.get("x").await.expect("it is there")).is_empty());
}

/// The output is closed before anything is told.
#[tokio::test]
async fn what_nobody_can_be_told_is_not_forgotten() {
    let buckets = Buckets::made(embedded(), "release-untold").await;
    let before = buckets.object().await;
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let program = example_binary("buckets").expect("the example");
    let mut command = embedded().command(program, &buckets.scene.user);
    command
        .args(["release", "--namespace", &buckets.scene.namespace])
        .stdout(writer);
    let ran = tokio::task::spawn_blocking(move || command.status()).await;
    let status = ran.expect("it ran").expect("it starts");
    assert_eq!(status.code(), Some(1));
    let after = buckets.object().await;
    assert_eq!(after["status"]["operatorkit"], before["status"]["operatorkit"]);
    assert_eq!(after["metadata"]["finalizers"], before["metadata"]["finalizers"]);
}
