//! What `rbac` prints for `run` is enough for `release`.

use operatorkit_testing::{Cluster, audit::Requests};

use super::{Right, grant, printed, rights};
use crate::{
    release::{made, release},
    rights::life::Case,
    servers::on_both,
};

async fn the_rights_of_run_are_enough_to_release(cluster: &'static Cluster) {
    let mut webapps = made(cluster, "rights-release", &["x"]).await;
    let scene = &mut webapps.scene;
    scene.user = cluster.new_stranger();
    let args = [
        "--leader-elect",
        "--namespace",
        &scene.namespace,
        "--install-namespace",
        &scene.namespace,
    ];
    let documents = printed(&Case::ALL[0], &args);
    let since = scene.mark().await;
    grant(scene, documents.clone(), None).await;
    let at = format!("--leader-elect-namespace={}", scene.namespace);
    let said = release(scene, "webapp", &[&at]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "{said:?}");
    let asked: Requests = scene.cluster.audit().since(since).await.by_user(&scene.user);
    let refused = asked.filter(|request| request.code == 403);
    assert!(refused.is_empty(), "{refused}");
}

/// Without one of them it says which one is missing.
async fn a_right_that_a_release_lacks_is_named(cluster: &'static Cluster) {
    let mut webapps = made(cluster, "rights-lack", &["x"]).await;
    let scene = &mut webapps.scene;
    scene.user = cluster.new_stranger();
    let documents = printed(
        &Case::ALL[0],
        &["--namespace", &scene.namespace, "--install-namespace", &scene.namespace],
    );
    let lacks = Right {
        group: "apps".into(),
        resource: "deployments".into(),
        verb: "patch".into(),
    };
    assert!(rights(&documents).contains(&lacks));
    grant(scene, documents, Some(&lacks)).await;
    let said = release(scene, "webapp", &[]).await;
    assert_eq!((said.code, said.lines.len()), (Some(1), 2), "{said:?}");
    for part in [
        "cannot patch resource \"deployments\" in API group \"apps\"",
        "x keeps its finalizer",
    ] {
        assert!(said.errors.contains(part), "{said:?}");
    }
}

on_both!(
    the_rights_of_run_are_enough_to_release,
    a_right_that_a_release_lacks_is_named
);
