//! Only what is asked for is released, and only what is provably ours is touched.

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{Api, ResourceExt as _},
    serde_json::{self, Value, json},
};
use operatorkit_testing::Cluster;

use super::{children, create, made, ours, release};
use crate::scene::Scene;

const MARK: &str = "operatorkit.dev/mark";

/// A ConfigMap with these labels and this mark.
fn map(name: &str, labels: &Value, mark: Option<&Value>) -> Value {
    let mut map = json!({ "metadata": { "name": name, "labels": labels } });
    if let Some(mark) = mark {
        map["metadata"]["annotations"] = json!({ MARK: mark.to_string() });
    }
    map
}

async fn what_is_not_provably_ours_is_not_touched(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-foreign", &["x"]).await;
    let scene = &webapps.scene;
    let ours_all: ConfigMap = scene.api().get("x-settings").await.expect("it is made");
    let labels = json!(ours_all.labels());
    let mark: Value = serde_json::from_str(&ours_all.annotations()[MARK]).expect("a mark");
    let with = |key: &str, value: &str| {
        let mut mark = mark.clone();
        mark["self"]["name"] = json!("foreign");
        mark[key] = json!(value);
        mark
    };
    let mut foreign: Vec<ConfigMap> = Vec::new();
    foreign.push(create(scene, map("labelled", &labels, None)).await);
    foreign.push(create(scene, map("copied", &labels, Some(&mark))).await);
    foreign.push(
        create(
            scene,
            map("foreign", &labels, Some(&with("operator", "others.example.com"))),
        )
        .await,
    );
    foreign.push(create(scene, map("unreadable", &labels, Some(&json!("of another version")))).await);
    let said = release(scene, "webapp", &[]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "{said:?}");
    for before in foreign {
        let after: ConfigMap = scene.api().get(&before.name_any()).await.expect("it is there");
        assert_eq!(after, before);
    }
}

/// A child whose labels somebody took off, and one whose object is gone, its finalizer taken off by hand.
async fn what_lost_its_labels_or_its_object_is_found_by_its_mark(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-lost", &["x", "y"]).await;
    let scene = &webapps.scene;
    let gone = json!({ "metadata": { "labels": null } });
    let unlabelled: ConfigMap = scene.patch("x-settings", gone).await;
    assert!(unlabelled.labels().is_empty());
    webapps.patch("y", json!({ "metadata": { "finalizers": null } })).await;
    webapps.delete("y").await;
    let said = release(scene, "webapp", &[]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 7), "{said:?}");
    let after = children(scene).await;
    assert_eq!(after.len(), 6);
    assert!(after.values().all(|child| ours(child).is_empty()), "{after:?}");
}

async fn only_what_is_asked_for_is_released(cluster: &'static Cluster) {
    let webapps = made(cluster, "release-asked", &["x", "y"]).await;
    let scene = &webapps.scene;
    let said = release(scene, "webapp", &["--operator=others"]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.errors
            .contains("there is no operator `others`: this program has webapps.demo.operatorkit.dev"),
        "{said:?}"
    );
    let said = release(scene, "webapp", &["x", "--operator=webapps.demo.operatorkit.dev"]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "{said:?}");
    let of_y = |name: &str| name.split('/').nth(1).is_some_and(|name| name.starts_with('y'));
    for (name, child) in children(scene).await {
        assert_eq!(ours(&child).is_empty(), !of_y(&name), "{name}: {child}");
    }
    let y = webapps.api.get("y").await.expect("it is there");
    assert_eq!(y.finalizers().len(), 1);
    // In another namespace there is nothing.
    let elsewhere = Scene::on(cluster, "release-elsewhere").await;
    let said = release(&elsewhere, "webapp", &[]).await;
    assert_eq!(
        (said.code, said.lines),
        (Some(0), vec!["nothing to release".to_owned()])
    );
    let said = release(scene, "webapp", &[]).await;
    assert_eq!((said.code, said.lines.len()), (Some(0), 4), "{said:?}");
    let maps: Api<ConfigMap> = scene.api();
    assert!(ours(&maps.get("y-settings").await.expect("it stays")).is_empty());
}

crate::servers::on_both! {
    what_is_not_provably_ours_is_not_touched,
    what_lost_its_labels_or_its_object_is_found_by_its_mark,
    only_what_is_asked_for_is_released,
}
