//! Watches that break, and rights that are missing.

use operatorkit::{
    RunSettings,
    k8s_openapi::api::core::v1::Secret,
    kube::{Api, api::PostParams},
    serde_json::json,
};
use operatorkit_testing::apiserver::fault::{Effect, Fault, Interference, Matching};

use super::{Passes, Reader, app, quiet, secret};
use crate::scene::Scene;

/// A scene whose operator's watches over Secrets are disturbed so; the first `times` of them.
async fn disturbed(name: &'static str, times: u64, effects: Vec<Interference>) -> Scene {
    let scene = Scene::alone(name).await;
    scene.install::<Reader>().await;
    let watches = Matching::verbs(["watch"]).resource("secrets").user(&scene.user);
    for effect in effects {
        let fault = Fault::new(watches.clone(), Effect::Watch(effect)).times(times);
        scene.cluster.faults().expect("the embedded server").add(fault);
    }
    scene
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_breaks_again_and_again_misses_nothing() {
    let scene = disturbed("reads-breaks", u64::MAX, vec![Interference::BreakAfter(1)]).await;
    let passes = Passes::default();
    let running = scene.start(app(&passes));
    scene.reads("x", &["key"]).await;
    passes.sees("x", "key-").await;
    scene.create(&secret("key", "0")).await;
    passes.sees("x", "key=0").await;
    for value in ["1", "2", "3", "4"] {
        scene.change("key", value).await;
        passes.sees("x", &format!("key={value}")).await;
    }
    scene.delete::<Secret>("key").await;
    passes.sees("x", "key-").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_deletion_that_no_watch_has_shown_is_found_by_the_next_list() {
    let lost = vec![Interference::Omit(vec![1, 2]), Interference::ExpireAfter(2)];
    let scene = disturbed("reads-lost", 1, lost).await;
    scene.create(&secret("key", "1")).await;
    scene.create(&secret("listed", "red")).await;
    let passes = Passes::default();
    let running = scene.start(app(&passes));
    scene.reads("x", &["key"]).await;
    let spec = super::ReaderSpec {
        app: Some("red".into()),
        ..super::ReaderSpec::default()
    };
    scene.reader("y", spec).await;
    passes.sees("x", "key=1").await;
    passes.sees("y", "listed=red").await;
    quiet().await;
    scene.delete::<Secret>("key").await;
    scene.delete::<Secret>("listed").await;
    passes.sees("x", "key-").await;
    passes.sees("y", "").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_change_between_the_read_and_its_answer_is_not_lost() {
    let scene = Scene::alone("reads-race").await;
    scene.install::<Reader>().await;
    scene.create(&secret("key", "1")).await;
    // The first answers come late: what they hold is old by then.
    let reads = Matching::verbs(["get"]).resource("secrets").user(&scene.user);
    let late = Effect::DelayAnswer(std::time::Duration::from_secs(5));
    let fault = scene
        .cluster
        .faults()
        .expect("the embedded server")
        .add(Fault::new(reads, late).once());
    let passes = Passes::default();
    let running = scene.start(app(&passes));
    scene.reads("x", &["key"]).await;
    while scene.cluster.faults().expect("it").met(fault) == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    scene.change("key", "2").await;
    passes.sees("x", "key=2").await;
    // What was old was never handed out.
    assert_eq!(passes.of("x")[0].saw, "key=2", "{:?}", passes.of("x"));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn rights_that_are_missing_are_an_error_of_the_reader_and_waited_for() {
    let mut scene = Scene::alone("reads-rights").await;
    scene.user = scene.cluster.new_stranger();
    scene.install::<Reader>().await;
    let elsewhere = scene.cluster.namespace("closed").await;
    let all = json!([
        { "apiGroups": ["reads.test"], "resources": ["readers", "readers/status"], "verbs": ["*"] },
        { "apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["*"] },
        { "apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list", "watch"] },
    ]);
    crate::scene::grant_in(&scene, &scene.namespace, &all).await;
    scene.create(&secret("key", "1")).await;
    let secrets: Api<Secret> = Api::namespaced(scene.client.clone(), &elsewhere);
    secrets
        .create(&PostParams::default(), &secret("key", "there"))
        .await
        .expect("created");
    let passes = Passes::default();
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        ..RunSettings::default()
    };
    let running = scene.start_with(app(&passes), settings);
    scene.reads("x", &[&format!("{elsewhere}/key")]).await;
    scene.reads("y", &["key"]).await;
    passes.sees("y", "key=1").await;
    let refused: Reader = scene.condition("x", "Ready", "False", "Forbidden").await;
    let refused = operatorkit::serde_json::to_value(refused).expect("JSON");
    let message = crate::scene::condition(&refused, "Ready")["message"].to_string();
    assert!(
        message.contains("cannot list resource") && message.contains(&elsewhere),
        "{message}"
    );
    assert!(message.contains("grant `list` on `secrets`"), "{message}");
    let _ready: Reader = scene.ready("y").await;

    // It may see that there is something, and not what.
    let rule = |verbs: &[&str]| json!([{ "apiGroups": [""], "resources": ["secrets"], "verbs": verbs }]);
    crate::scene::grant_in(&scene, &elsewhere, &rule(&["list", "watch"])).await;
    operatorkit_testing::eventually(
        &scene.api::<Reader>(),
        "x",
        "asks for `get`",
        operatorkit_testing::PATIENCE,
        |object| {
            let object = operatorkit::serde_json::to_value(object).expect("JSON");
            crate::scene::condition(&object, "Ready")["message"]
                .to_string()
                .contains("grant `get` on `secrets`")
        },
    )
    .await;
    crate::scene::grant_in(&scene, &elsewhere, &rule(&["get", "list", "watch"])).await;
    passes.sees("x", "key=there").await;
    running.stop().await;
}
