//! An operator that may not: it says what to grant, and goes on as soon as that is done.

use operatorkit::anyhow::Context as _;
use operatorkit::{
    k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding},
    kube::{
        Api,
        api::{Patch, PatchParams},
    },
    serde_json::{Value, json},
};
use operatorkit_testing::{PATIENCE, wait_for};

use super::{Troubled, app, shown, spec, well};
use crate::{logs::Logs, scene::Scene};

/// A scene whose operator has no rights.
async fn stranger(name: &'static str) -> Scene {
    let mut scene = Scene::alone(name).await;
    scene.user = scene.cluster.new_stranger();
    scene.install::<Troubled>().await;
    scene
}

fn rule(group: &str, resource: &str, verbs: &[&str]) -> Value {
    json!({ "apiGroups": [group], "resources": [resource, format!("{resource}/status")], "verbs": verbs })
}

const ALL: [&str; 8] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
];

/// Gives the operator these rights and no others.
async fn grant(scene: &Scene, rules: &[Value]) {
    let params = PatchParams::apply("test").force();
    let name = &scene.user;
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
        "metadata": { "name": name }, "rules": rules,
    });
    let roles: Api<ClusterRole> = Api::all(scene.client.clone());
    roles.patch(name, &params, &Patch::Apply(role)).await.expect("granted");
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": { "name": name },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
        "subjects": [{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name }],
    });
    let bindings: Api<ClusterRoleBinding> = Api::all(scene.client.clone());
    bindings
        .patch(name, &params, &Patch::Apply(binding))
        .await
        .expect("bound");
}

fn service() -> Value {
    json!({ "apiVersion": "v1", "kind": "Service", "metadata": { "name": "svc" }, "spec": { "ports": [{ "port": 80 }] } })
}

#[tokio::test(start_paused = true)]
async fn rights_that_are_missing_for_a_child_hold_up_that_child_only() {
    let scene = stranger("rights-child").await;
    let logs = Logs::capture();
    let own = [
        rule("trouble.test", "troubleds", &ALL),
        rule("", "configmaps", &ALL),
        rule("events.k8s.io", "events", &ALL),
    ];
    grant(&scene, &own).await;
    let running = scene.start(app());
    scene.create(&Troubled::new("x", spec(&[service()]))).await;

    // It may not even look.
    let message = shown(&scene, "x", "Forbidden").await;
    assert!(message.contains("cannot list resource \"services\""), "{message}");
    let _line = logs.wait_for(&["WARN", "grant `list` on `services`"], PATIENCE).await;

    // It may look, and not write.
    let looking = [&own[..], &[rule("", "services", &["get", "list", "watch"])]].concat();
    grant(&scene, &looking).await;
    let _line = logs.wait_for(&["ERROR", "grant `patch` on `services`"], PATIENCE).await;
    wait_for("the condition says what is missing now", PATIENCE, async || {
        let message = shown(&scene, "x", "Forbidden").await;
        let said = message.contains("cannot patch resource \"services\"") && message.contains("grant `patch`");
        said.then_some(()).with_context(|| message)
    })
    .await;

    let all = [&own[..], &[rule("", "services", &ALL)]].concat();
    grant(&scene, &all).await;
    well(&scene, "x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn rights_that_are_missing_at_the_start_are_waited_for() {
    let scene = stranger("rights-start").await;
    let logs = Logs::capture();
    scene.create(&Troubled::new("x", spec(&[]))).await;
    let running = scene.start(app());
    let _line = logs
        .wait_for(&["WARN", "grant `list` on `troubleds.trouble.test`"], PATIENCE)
        .await;
    let _line = logs.wait_for(&["WARN", "grant `list` on `configmaps`"], PATIENCE).await;
    grant(
        &scene,
        &[rule("trouble.test", "troubleds", &ALL), rule("", "configmaps", &ALL)],
    )
    .await;
    // Without the right to write Events it works all the same.
    well(&scene, "x").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_status_that_may_not_be_written_is_said() {
    let scene = stranger("rights-status").await;
    let logs = Logs::capture();
    // `rule` grants a kind together with its status: here only the kind.
    let kind = json!({ "apiGroups": ["trouble.test"], "resources": ["troubleds"], "verbs": ALL });
    let rest = [rule("", "configmaps", &ALL), rule("events.k8s.io", "events", &ALL)];
    grant(&scene, &[&[kind.clone()][..], &rest].concat()).await;
    let running = scene.start(app());
    scene.create(&Troubled::new("x", spec(&[]))).await;
    let _line = logs
        .wait_for(&["ERROR", "grant `patch` on `troubleds.trouble.test/status`"], PATIENCE)
        .await;
    wait_for("an Event says so, too", PATIENCE, async || {
        let events = scene.events("x").await;
        let said = |event: &Value| {
            event["note"]
                .as_str()
                .is_some_and(|note| note.contains("troubleds/status"))
        };
        events
            .iter()
            .any(said)
            .then_some(())
            .with_context(|| json!(events).to_string())
    })
    .await;

    let status = json!({ "apiGroups": ["trouble.test"], "resources": ["troubleds/status"], "verbs": ALL });
    grant(&scene, &[&[kind, status][..], &rest].concat()).await;
    well(&scene, "x").await;
    running.stop().await;
}
