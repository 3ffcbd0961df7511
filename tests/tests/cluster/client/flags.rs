//! What the command line says of the API server.

use operatorkit::k8s_openapi::api::coordination::v1::Lease;

use super::*;
use crate::webapps::WebApps;

#[tokio::test]
async fn an_address_and_files_replace_the_kubeconfig() {
    let place = Place::new("flags").await;
    // `run` has a KUBECONFIG, with another user.
    let webapps = WebApps::on(place.scene.cluster, "flags").await;
    let mark = place.scene.mark().await;
    place.accept("a-token", "flags");
    place.write("token", "a-token\n");
    let path = |name: &str| place.path(name).to_str().expect("UTF-8").to_owned();
    let mut running = webapps.run(&[
        "--server",
        &place.url(),
        "--certificate-authority",
        &path("ca.crt"),
        "--token-file",
        &path("token"),
    ]);
    webapps.create("x").await;
    let _ready = webapps.ready("x").await;
    running.terminate();
    assert_eq!(running.wait(PATIENCE).await.code(), Some(0), "{}", running.log());
    let log = place.scene.cluster.audit().since(mark).await;
    assert!(!log.clone().by_user("flags").writes().is_empty());
    let others = log.by_user(&webapps.scene.user);
    assert!(others.is_empty(), "{others}");
}

/// Its client is made otherwise: its connections give up in time.
#[tokio::test]
async fn a_program_with_an_election_leads_and_gives_the_lease_up() {
    let webapps = WebApps::new("elected").await;
    let scene = &webapps.scene;
    let mut running = webapps.run(&[
        "--leader-elect",
        "--leader-elect-name=x",
        "--leader-elect-namespace",
        &scene.namespace,
    ]);
    webapps.create("x").await;
    let _ready = webapps.ready("x").await;
    let leases = scene.api::<Lease>();
    let spec = leases.get("x").await.expect("a Lease").spec.expect("a spec");
    assert!(spec.holder_identity.is_some_and(|holder| holder.contains('_')));
    running.terminate();
    assert_eq!(running.wait(PATIENCE).await.code(), Some(0), "{}", running.log());
    let spec = leases.get("x").await.expect("a Lease").spec.expect("a spec");
    assert_eq!(spec.holder_identity.as_deref(), Some(""));
}

#[tokio::test]
async fn flags_that_contradict_each_other_end_the_program_in_words() {
    let webapps = WebApps::new("contradiction").await;
    let mut running = webapps.run(&["--server", "https://127.0.0.1:1", "--context", "c"]);
    assert_eq!(running.wait(PATIENCE).await.code(), Some(1));
    let said = running.log();
    assert!(said.contains("may be about different clusters"), "{said}");
}
