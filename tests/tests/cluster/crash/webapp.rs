//! `webapp`, killed before each write of a life: three children and a status, made and deleted.

use operatorkit::{kube::ResourceExt as _, serde_json::json};
use operatorkit_testing::{Cluster, audit::Entry};

use super::Example;

/// A life has these writes, in this order; the one that is held is not carried out.
const CREATION: [&str; 6] = [
    "request.resource.resource == 'webapps' && !has(request.subResource) && !has(object.metadata.deletionTimestamp)",
    "request.resource.resource == 'configmaps' && request.operation == 'CREATE'",
    "request.resource.resource == 'services' && request.operation == 'CREATE'",
    "request.resource.resource == 'deployments' && request.operation == 'CREATE'",
    "request.resource.resource == 'webapps' && has(request.subResource) && request.subResource == 'status' && !has(oldObject.status)",
    "request.resource.resource == 'webapps' && has(request.subResource) && request.subResource == 'status' && \
     object.status.conditions.exists(it, it.type == 'Ready' && it.status == 'True')",
];
const DELETION: [&str; 4] = [
    "request.resource.resource == 'services' && request.operation == 'DELETE'",
    "request.resource.resource == 'deployments' && request.operation == 'DELETE'",
    "request.resource.resource == 'configmaps' && request.operation == 'DELETE'",
    "request.resource.resource == 'webapps' && !has(request.subResource) && has(object.metadata.deletionTimestamp)",
];

/// Which object's life is killed where: the ConfigMap has a name of its own.
fn held() -> Vec<(String, String)> {
    let rounds = (0..CREATION.len()).flat_map(|round| {
        [CREATION[round], DELETION[round % DELETION.len()]].map(|write| {
            let settings = if write.contains("configmaps") { "-settings" } else { "" };
            (format!("x{round}{settings}"), write.to_owned())
        })
    });
    rounds.collect()
}

async fn webapp_survives_a_kill_before_each_of_its_writes(cluster: &'static Cluster) {
    let mut example = Example::new(cluster, "crash-webapp", "webapp", "WebApp", &held()).await;
    for round in 0..CREATION.len() {
        let name = format!("x{round}");
        let start = example.scene.mark().await;
        let spec = json!({ "image": "web", "replicas": 0, "message": "hello" });
        example.kill_in_creation(&name, round, spec).await;
        let uid = example.objects.get(&name).await.unwrap().uid().unwrap();
        let before = example.children_of(&uid).await;
        let done = example.granted(start, "patch").await;
        assert_eq!(done.len(), round, "killed after write {round}:\n{done}");

        example.converge(&name).await;
        let after = example.children_of(&uid).await;
        let children = [
            format!("ConfigMap/{name}-settings"),
            format!("Deployment/{name}"),
            format!("Service/{name}"),
        ];
        assert!(after.keys().eq(&children), "{after:?}");
        for (child, uid) in &before {
            assert_eq!(after.get(child), Some(uid), "{child} is made once");
        }
        let made = example
            .granted(start, "patch")
            .await
            .filter(|request| request.code == 201);
        let made: Vec<_> = made.iter().map(Entry::resource).collect();
        assert_eq!(
            made,
            ["configmaps", "services", "deployments"],
            "each is made once, in order"
        );

        let start = example.scene.mark().await;
        example.kill_in_deletion(&name, round % DELETION.len()).await;
        let done = example.granted(start, "delete").await;
        assert_eq!(done.len(), round % DELETION.len(), "killed after that DELETE:\n{done}");
        example.finish(&name).await;
        let deleted = example.granted(start, "delete").await;
        let order: Vec<_> = deleted.iter().map(Entry::resource).collect();
        assert_eq!(order, ["services", "deployments", "configmaps"], "{deleted}");
        let made = example
            .granted(start, "patch")
            .await
            .filter(|request| request.code == 201);
        assert!(made.is_empty(), "{made}");
        example.assert_nothing_left(&uid).await;
    }
}

crate::servers::on_both! {
    webapp_survives_a_kill_before_each_of_its_writes,
}
