//! An operator that still runs would take back what is released: its Lease tells, or what it does.

use operatorkit::{k8s_openapi::api::coordination::v1::Lease, kube::ResourceExt as _};
use operatorkit_testing::{Cluster, PATIENCE, wait_for};

use super::{made, release};
use crate::webapps::WebApps;

/// As an operator with an election of short times.
fn electing(webapps: &WebApps) -> Vec<String> {
    vec![
        "--leader-elect".to_owned(),
        format!("--leader-elect-namespace={}", webapps.scene.namespace),
        "--leader-elect-lease-duration=3s".to_owned(),
        "--leader-elect-renew-deadline=2s".to_owned(),
        "--leader-elect-retry-period=500ms".to_owned(),
    ]
}

async fn an_operator_that_leads_is_to_be_stopped_first(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-lease", &["x"]).await;
    let scene = &webapps.scene;
    let args = electing(&webapps);
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let at = args[1];
    let mut running = webapps.run(&args);
    running.wait_for_log("leads", PATIENCE).await;

    let said = release(scene, "webapp", &["--dry-run", at]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "it may be asked: {said:?}");
    let said = release(scene, "webapp", &[at]).await;
    let lease = format!("holds the Lease `{}/webapp-operator`", scene.namespace);
    assert_eq!((said.code, said.lines.len()), (Some(1), 0), "{said:?}");
    for part in [
        &*lease,
        "still runs",
        "scale its Deployment to zero",
        "nothing was changed",
    ] {
        assert!(said.errors.contains(part), "{part}: {said:?}");
    }
    let object = webapps.api.get("x").await.expect("it is there");
    assert!(!object.finalizers().is_empty(), "{object:?}");

    // One that was killed holds it until its time is over.
    running.kill();
    let leases = scene.api::<Lease>();
    let holder = leases.get("webapp-operator").await.expect("it is left").spec;
    assert!(holder.is_some_and(|spec| spec.holder_identity.is_some_and(|it| !it.is_empty())));
    let said = release(scene, "webapp", &[at]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "{said:?}");
    let waited = format!("{lease}: waiting to see whether it still renews it");
    assert!(said.errors.contains(&waited), "{said:?}");
    assert_eq!(said.errors.lines().count(), 1, "the Lease has told: {said:?}");
}

async fn one_that_stopped_in_order_has_given_its_lease_up(cluster: &'static Cluster) {
    let webapps = WebApps::on(cluster, "release-stopped").await;
    let args = electing(&webapps);
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let mut running = webapps.run(&args);
    webapps.create("x").await;
    let _ready = webapps.ready("x").await;
    running.terminate();
    let _ended = running.wait(PATIENCE).await;
    let start = std::time::Instant::now();
    let said = release(&webapps.scene, "webapp", &[args[1]]).await;
    assert_eq!(
        (said.code, said.lines.len(), &*said.errors),
        (Some(0), 4, ""),
        "{said:?}"
    );
    assert!(start.elapsed().as_secs() < 20, "nothing was waited for");
}

async fn one_that_takes_back_what_was_released_is_told(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-running", &["x"]).await;
    let mut running = webapps.run(&[]);
    running.wait_for_log("running", PATIENCE).await;
    let said = release(&webapps.scene, "webapp", &[]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    let back = format!(
        "WebApp.demo.operatorkit.dev {}/x carries the finalizer of the operator again: the operator still runs",
        webapps.scene.namespace
    );
    assert!(said.errors.contains(&back), "{said:?}");
    running.terminate();
    let _ended = running.wait(PATIENCE).await;
    wait_for("it is released for good", PATIENCE, async || {
        let said = release(&webapps.scene, "webapp", &[]).await;
        operatorkit::anyhow::ensure!(said.code == Some(0), "{said:?}");
        Ok(())
    })
    .await;
    let object = webapps.api.get("x").await.expect("it is there");
    assert!(super::ours(&object).is_empty(), "{object:?}");
}

crate::servers::on_both! {
    an_operator_that_leads_is_to_be_stopped_first,
    one_that_stopped_in_order_has_given_its_lease_up,
    one_that_takes_back_what_was_released_is_told,
}
