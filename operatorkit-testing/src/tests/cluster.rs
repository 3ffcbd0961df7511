//! Starting, users, kubectl, waiting.

use std::time::Duration;

use anyhow::Result;
use k8s_openapi::api::{
    authentication::v1::SelfSubjectReview,
    core::v1::{ConfigMap, Namespace},
    rbac::v1::RoleBinding,
};
use kube::{
    Api, Client, Config,
    api::{ListParams, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
};
use serde_json::json;

use super::{config_map, servers};
use crate::{ControlPlane, EmbeddedServer, PATIENCE, eventually, eventually_gone, wait_for};

#[tokio::test]
async fn kubectl_and_a_client_see_the_same_namespace() -> Result<()> {
    let Some(cluster) = ControlPlane::shared() else {
        return Ok(());
    };
    let namespace = cluster.namespace("seen").await;
    Api::<Namespace>::all(cluster.client("driver")).get(&namespace).await?;
    let output = cluster
        .kubectl()
        .args(["get", "namespace", &namespace, "-o", "name"])
        .output()?;
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("namespace/{namespace}\n"),
        "{output:?}"
    );
    assert_ne!(cluster.namespace("seen").await, namespace);
    Ok(())
}

#[tokio::test]
async fn a_kubeconfig_is_what_its_user_is() -> Result<()> {
    for cluster in servers() {
        for user in ["admin".to_owned(), cluster.new_admin(), cluster.new_stranger()] {
            let kubeconfig = Kubeconfig::read_from(cluster.kubeconfig(&user))?;
            let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
            for client in [Client::try_from(config)?, cluster.client(&user)] {
                let reviews = Api::<SelfSubjectReview>::all(client);
                let review = reviews
                    .create(&PostParams::default(), &SelfSubjectReview::default())
                    .await?;
                let who = review.status.and_then(|status| status.user_info).unwrap_or_default();
                assert_eq!(who.username, Some(user.clone()));
                assert_eq!(who.uid, Some(user.clone()));
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_stranger_has_only_what_a_test_grants() -> Result<()> {
    for cluster in servers() {
        let (namespace, stranger) = (cluster.namespace("rbac").await, cluster.new_stranger());
        let api = Api::<ConfigMap>::namespaced(cluster.client(&stranger), &namespace);
        let refused = api.list(&ListParams::default()).await.unwrap_err();
        assert!(
            matches!(&refused, kube::Error::Api(status) if status.code == 403),
            "{refused}"
        );

        let grant = serde_json::from_value(json!({
            "metadata": {"name": "view"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": stranger}],
        }))?;
        let bindings = Api::<RoleBinding>::namespaced(cluster.client("driver"), &namespace);
        bindings.create(&PostParams::default(), &grant).await?;
        wait_for("the grant is known", PATIENCE, async || {
            Ok(api.list(&ListParams::default()).await?)
        })
        .await;
    }
    Ok(())
}

#[test]
#[should_panic(expected = "there is no user \"nobody\": take one of admin, driver, operator")]
fn an_unknown_user_is_named() {
    drop(EmbeddedServer::shared().kubeconfig("nobody"));
}

#[tokio::test]
async fn a_recorded_client_shows_what_it_sent() -> Result<()> {
    for cluster in servers() {
        let namespace = cluster.namespace("recorded").await;
        let (client, recorder) = cluster.recorded_client("driver");
        let api = Api::<ConfigMap>::namespaced(client, &namespace);
        api.create(&PostParams::default(), &config_map("a")).await?;
        assert!(api.create(&PostParams::default(), &config_map("a")).await.is_err());
        api.get("a").await?;
        let lines: Vec<_> = recorder.sent().iter().map(ToString::to_string).collect();
        let path = format!("/api/v1/namespaces/{namespace}/configmaps");
        assert_eq!(
            lines,
            [
                format!("POST {path}? 201"),
                format!("POST {path}? 409"),
                format!("GET {path}/a 200")
            ]
        );
        assert_eq!(
            recorder.by_method(),
            [("GET".to_owned(), 1), ("POST".to_owned(), 2)].into()
        );
    }
    Ok(())
}

#[tokio::test]
async fn waiting_ends_with_the_object() -> Result<()> {
    for cluster in servers() {
        let namespace = cluster.namespace("wait").await;
        let api = Api::<ConfigMap>::namespaced(cluster.client("driver"), &namespace);
        let (params, late) = (PostParams::default(), config_map("late"));
        let (found, made) = tokio::join!(
            eventually(&api, "late", "exists", PATIENCE, |_| true),
            api.create(&params, &late),
        );
        assert_eq!(found.metadata.uid, made?.metadata.uid);
        api.delete("late", &kube::api::DeleteParams::default()).await?;
        eventually_gone(&api, "late", PATIENCE).await;
    }
    Ok(())
}

#[tokio::test]
#[should_panic(expected = "not within 0.1 s: pigs fly\nlast seen: pig 3 walks")]
async fn waiting_in_vain_shows_what_was_seen() {
    let mut pig = 0;
    wait_for("pigs fly", Duration::from_millis(100), async || {
        pig = 3.min(pig + 1);
        anyhow::ensure!(pig > 3, "pig {pig} walks");
        Ok(())
    })
    .await;
}
