//! Tests of the collector: what it does not know yet it does not decide about.

use serde_json::json;

use super::{collect::Collector, graph::Graph};
use crate::{
    ApiServer,
    control::{client::Client, feed::Feed},
    object,
    store::Key,
};

#[tokio::test]
async fn an_owner_waits_until_its_dependents_are_known() {
    let server = ApiServer::builder().controllers(false).start();
    let core = server.core.clone();
    let client = Client::new(core.clone(), "tests");
    let maps = core
        .registry
        .catalog()
        .by_kind("v1", "ConfigMap")
        .cloned()
        .expect("built in");
    let key = |name: &str| Key::new("default", name);
    let owner = json!({ "metadata": { "name": "owner" } });
    let owner = client.create(&maps, "default", &owner).await.expect("it is created");
    let uid = object::uid(&owner);
    let reference = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid });
    let kept = json!({ "metadata": { "name": "kept", "ownerReferences": [reference] } });
    client.create(&maps, "default", &kept).await.expect("it is created");
    client
        .delete(&maps, &key("owner"), uid, "Orphan")
        .await
        .expect("it is to go");

    let stored = |name: &str| core.store.get(&maps.table, &key(name));
    let item = (maps.table.clone(), key("owner"));
    let collector = Collector::new(Client::new(core.clone(), "collector"), core.clone());
    // Only the creation of the owner is known, and that it goes is seen in the store.
    let before = stored("owner").expect("it waits").version - 1;
    collector
        .attend(&Graph::default(), &item, before)
        .await
        .expect_err("it is looked at again, since nothing else may bring it back");
    assert!(stored("owner").is_some(), "whom it leaves behind is not known");

    let mut feed = Feed::new(core.store.clone());
    let mut graph = Graph::default();
    for changed in feed.next().await {
        graph.update(&changed, &collector.object(&changed.table, &changed.object));
    }
    collector.attend(&graph, &item, feed.seen()).await.expect("it is done");
    assert!(stored("owner").is_none());
    let kept = collector.object(&maps.table, &stored("kept").expect("it stays"));
    assert_eq!(object::owners(&kept).count(), 0);
}
