//! *basic*: one pass at a time.

use operatorkit::{Direction, SinglePasses, prelude::*};
use operatorkit_testing::Cluster;

use super::scripted;
use crate::{flow::script::Script, scene::Scene, servers::on_both};
use std::sync::Arc;

#[operator(
    group = "basic.parity.test",
    version = "v1",
    kind = "Basic",
    namespaced,
    resources(Only)
)]
pub(crate) struct BasicSpec {}

#[resource]
pub(crate) struct Only(Arc<Script>);

scripted!(Only of Basic, "only");

on_both!(the_finalizer_comes_with_the_first_pass_and_goes_with_the_last);

async fn the_finalizer_comes_with_the_first_pass_and_goes_with_the_last(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "parity-basic").await;
    scene.install::<Basic>().await;
    let script = Script::new();
    let resources = BasicResources {
        only: Only(script.clone()),
    };
    let client = scene.cluster.client(&scene.user);
    let mut passes = SinglePasses::<Basic>::new(resources, client, &scene.resyncing()).expect("it can run");
    let basic = scene.create(&Basic::new("x", BasicSpec {})).await;
    assert_eq!(basic.metadata.finalizers, None);

    for times in 1..=2 {
        let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
        assert!(outcome.done, "{outcome:?}");
        assert_eq!(script.count("x create only"), times);
        let finalizers = scene
            .api::<Basic>()
            .get("x")
            .await
            .expect("it exists")
            .metadata
            .finalizers;
        assert_eq!(
            finalizers,
            Some(vec!["operatorkit.dev/basics.basic.parity.test".to_owned()])
        );
    }
    scene.delete::<Basic>("x").await;
    let deleting = scene.api::<Basic>().get("x").await.expect("it is still there");
    assert!(deleting.metadata.deletion_timestamp.is_some());
    let outcome = passes.run(&*scene.namespace, "x").await.expect("a pass");
    assert_eq!((outcome.direction, outcome.done), (Direction::Backwards, true));
    assert!(scene.api::<Basic>().get_opt("x").await.expect("an answer").is_none());
    assert_eq!((script.count("x create only"), script.count("x delete only")), (2, 1));
}
