//! Counting requests.

use anyhow::Result;
use futures::TryStreamExt as _;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchParams},
};
use serde_json::json;

use super::{config_map, servers};
use crate::PATIENCE;

#[tokio::test]
async fn only_what_came_after_the_mark_is_counted() -> Result<()> {
    for cluster in servers() {
        let (namespace, user) = (cluster.namespace("audit").await, cluster.new_admin());
        let api = Api::<ConfigMap>::namespaced(cluster.client(&user), &namespace);
        api.create(&PostParams::default(), &config_map("before")).await?;

        let mark = cluster.audit().mark().await;
        api.create(&PostParams::default(), &config_map("a")).await?;
        api.create(&PostParams::default(), &config_map("b")).await?;
        assert!(api.create(&PostParams::default(), &config_map("b")).await.is_err());
        let change = json!({"data": {"k": "v"}});
        api.patch("a", &PatchParams::default(), &Patch::Merge(&change)).await?;
        api.get("a").await?;
        api.list(&ListParams::default()).await?;
        api.delete("a", &DeleteParams::default()).await?;
        // Somebody else's do not count.
        Api::<ConfigMap>::namespaced(cluster.client("driver"), &namespace)
            .get("b")
            .await?;

        let requests = cluster.audit().since(mark).await.by_user(&user);
        let expected = [("create", 3), ("delete", 1), ("get", 1), ("list", 1), ("patch", 1)];
        assert_eq!(requests.by_verb(), expected.into(), "{requests}");
        assert_eq!(requests, requests.clone().in_namespace(&namespace).of("configmaps"));
        let codes: Vec<_> = requests
            .clone()
            .writes()
            .iter()
            .map(|entry| (entry.object.name.clone(), entry.code))
            .collect();
        // The name of a create is in its body; the server logs it when it knows it.
        assert_eq!(
            codes.iter().map(|(_, code)| *code).collect::<Vec<_>>(),
            [201, 201, 409, 200, 200],
            "{requests}"
        );
        assert!(requests.is_sorted_by_key(|entry| entry.received), "{requests}");
        assert_eq!(requests.clone().by_agent("no such agent").len(), 0);
        assert_eq!(
            cluster
                .audit()
                .since(cluster.audit().mark().await)
                .await
                .by_user(&user)
                .len(),
            0
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_watch_counts_once() -> Result<()> {
    for cluster in servers() {
        let (namespace, user) = (cluster.namespace("watch").await, cluster.new_admin());
        let api = Api::<ConfigMap>::namespaced(cluster.client(&user), &namespace);
        let mark = cluster.audit().mark().await;

        let params = WatchParams::default().timeout(1);
        let events = api.watch(&params, "0").await?;
        let mine = |entry: &crate::audit::Entry| entry.user == user && entry.verb == "watch";
        let started = cluster.audit().wait_for(mark, "the watch runs", PATIENCE, mine).await;
        assert_eq!((started.stage.as_str(), started.code), ("ResponseStarted", 200));
        // Its end is logged too.
        events.try_collect::<Vec<_>>().await?;

        let requests = cluster.audit().since(mark).await.by_user(&user);
        assert_eq!(requests.by_verb(), [("watch", 1)].into(), "{requests}");
    }
    Ok(())
}
