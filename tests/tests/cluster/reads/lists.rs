//! Lists by label.

use operatorkit::{k8s_openapi::api::core::v1::Secret, serde_json::json};

use super::{ReaderSpec, quiet, secret, started};

fn of_app(app: &str) -> ReaderSpec {
    ReaderSpec {
        app: Some(app.into()),
        ..ReaderSpec::default()
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_follows_what_gets_in_changes_and_leaves() {
    let (scene, passes, running) = started("reads-list").await;
    scene.create(&secret("a", "red")).await;
    scene.create(&secret("z", "blue")).await;
    scene.reader("x", of_app("red")).await;
    scene.reader("y", of_app("none")).await;
    passes.sees("x", "a=red").await;
    passes.sees("y", "").await;
    quiet().await;
    let bystander = passes.count("y");
    // One appears.
    scene.create(&secret("b", "red")).await;
    passes.sees("x", "a=red b=red").await;
    // One changes.
    scene.change("a", "1").await;
    passes.sees("x", "a=1 b=red").await;
    // One is labelled, one is no longer.
    let label = |app: &str| json!({ "metadata": { "labels": { "app": app } } });
    let _labelled: Secret = scene.patch("z", label("red")).await;
    passes.sees("x", "a=1 b=red z=blue").await;
    let _unlabelled: Secret = scene.patch("b", label("blue")).await;
    passes.sees("x", "a=1 z=blue").await;
    // One goes.
    scene.delete::<Secret>("a").await;
    passes.sees("x", "z=blue").await;
    quiet().await;
    let before = passes.count("x");
    // One that was never in it, and one that is in it no more.
    scene.create(&secret("other", "green")).await;
    scene.change("b", "2").await;
    quiet().await;
    assert_eq!(passes.count("x"), before);
    assert_eq!(passes.count("y"), bystander);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_in_a_list_is_fetched_once_for_its_readers_by_name_too() {
    let (scene, passes, running) = started("reads-both").await;
    scene.create(&secret("a", "red")).await;
    scene.reader("x", of_app("red")).await;
    scene.reads("y", &["a"]).await;
    passes.sees("x", "a=red").await;
    passes.sees("y", "a=red").await;
    quiet().await;
    let start = scene.mark().await;
    scene.change("a", "1").await;
    passes.sees("x", "a=1").await;
    passes.sees("y", "a=1").await;
    quiet().await;
    let requests = scene.requests(start).await;
    assert_eq!(requests.by_verb(), [("get", 1)].into(), "{requests}");
    running.stop().await;
}
