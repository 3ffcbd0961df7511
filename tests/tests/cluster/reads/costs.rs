//! What reads cost: nothing where nothing changes, and nothing in memory for what nobody reads.

use futures::{StreamExt as _, stream};
use operatorkit_testing::PATIENCE;

use super::{ReaderSpec, app, quiet, secret, started};
use crate::{logs::Logs, scene::Scene};

#[tokio::test(start_paused = true)]
async fn a_pass_that_reads_what_has_not_changed_sends_nothing() {
    let (scene, passes, running) = started("reads-free").await;
    scene.create(&secret("key", "1")).await;
    let spec = ReaderSpec {
        secrets: vec!["key".into(), "missing".into()],
        app: Some("1".into()),
        region: Some(scene.namespace.clone()),
        ..ReaderSpec::default()
    };
    scene.reader("x", spec).await;
    passes.sees("x", "key=1 missing- key=1 region ").await;
    quiet().await;
    let (start, before) = (scene.mark().await, passes.count("x"));
    // Two resyncs.
    for _ in 0..10 {
        quiet().await;
    }
    assert!(passes.count("x") >= before + 2, "{:?}", passes.of("x"));
    let requests = scene.requests(start).await;
    assert!(requests.is_empty(), "{requests}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_other_secrets_are_not_kept() {
    let scene = Scene::alone("reads-many").await;
    scene.install::<super::Reader>().await;
    stream::iter(0..10_000)
        .for_each_concurrent(16, async |n| {
            scene.create(&secret(&format!("other-{n}"), "0")).await;
        })
        .await;
    scene.create(&secret("key", "1")).await;
    let logs = Logs::capture();
    let passes = super::Passes::default();
    let start = scene.mark().await;
    let running = scene.start(app(&passes));
    scene.reads("x", &["key"]).await;
    passes.sees("x", "key=1").await;
    let line = logs.wait_for(&["what is read of Secret is filled"], PATIENCE).await;
    assert!(line.contains("kept=1 ") && line.contains("dropped=10000"), "{line}");
    // Only metadata was listed, and one body was fetched.
    let secrets = scene.requests(start).await.of("secrets");
    let (lists, rest): (Vec<_>, Vec<_>) = secrets.iter().partition(|request| request.verb == "list");
    assert_eq!(lists.len(), 21, "pages of 500: {secrets}");
    assert_eq!(rest.len(), 1, "{rest:?}");
    running.stop().await;
}
