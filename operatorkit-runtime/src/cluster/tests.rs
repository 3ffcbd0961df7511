//! What is sent for each operation, and what its answers come to.

use std::sync::Arc;

use k8s_openapi::api::{
    apps::v1::Deployment,
    core::v1::{ConfigMap, Secret, Service},
};
use serde_json::{Value, json};

use super::{
    Deleted, Kind, Op, PropagationPolicy,
    mock::{Reply, cluster},
};
use crate::metrics::{Format, Meter, Metrics};

fn object(uid: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": "x", "uid": uid, "resourceVersion": "5", "managedFields": [{"manager": "m"}] },
    })
}

const ABSENT: &str = include_str!("failure/answers/get_absent.json");
const UNSERVED: &str = include_str!("failure/answers/get_unserved_core.json");
const OTHER_UID: &str = include_str!("failure/answers/del_wrong_uid.json");

#[tokio::test]
async fn absent_is_none_and_unserved_is_a_failure() {
    let (cluster, _) = cluster(|asked, _| match asked {
        "GET /api/v1/namespaces/ns/configmaps/x" => Reply::json(200, object("1")),
        "GET /api/v1/namespaces/ns/configmaps/a" => Reply::json(404, ABSENT),
        _ => Reply::json(404, UNSERVED),
    });
    let kind = Kind::of::<ConfigMap>();
    let found = cluster.get(&kind, Some("ns"), "x").await.unwrap().unwrap();
    assert_eq!(found.metadata.managed_fields, None);
    assert!(cluster.get(&kind, Some("ns"), "a").await.unwrap().is_none());
    let unserved = cluster.get(&Kind::of::<Service>(), Some("ns"), "x").await.unwrap_err();
    assert!(unserved.is_not_served() && !unserved.is_not_found());
}

/// T26 of what Go's operatorkit does: failed reads are not counted there.
#[tokio::test(start_paused = true)]
async fn every_request_is_counted_by_verb_and_code_also_one_that_fails() {
    let (cluster, _) = cluster(|asked, _| match asked {
        "GET /api/v1/namespaces/ns/configmaps/x" => Reply::json(200, object("1")),
        "GET /api/v1/namespaces/ns/configmaps/a" => Reply::json(404, ABSENT),
        "GET /api/v1/namespaces/ns/configmaps/odd" => Reply::json(200, "[]"),
        "GET /api/v1/namespaces/ns/configmaps/late" => Reply::Hang,
        _ => Reply::Break,
    });
    let (metrics, meter) = (Metrics::new("app"), Arc::new(Meter::new("test", "Thing")));
    metrics.add(meter.clone());
    let cluster = cluster.measured(meter);
    let kind = Kind::of::<ConfigMap>();
    for name in ["x", "a", "odd", "late", "broken"] {
        let _answer = cluster.get(&kind, Some("ns"), name).await;
    }
    let text = metrics.scrape(Format::OpenMetrics);
    for (code, count) in [("200", 2), ("404", 1), ("<error>", 2)] {
        let line = format!(
            "operatorkit_controller_rest_client_requests_total{{controller=\"test\",verb=\"get\",code=\"{code}\"}} {count}\n"
        );
        assert!(text.contains(&line), "{line}{text}");
    }
}

#[tokio::test]
async fn names_that_lead_elsewhere_are_never_sent() {
    let (cluster, asked) = cluster(|_, _| Reply::json(200, object("1")));
    let kind = Kind::of::<ConfigMap>();
    for (namespace, name) in [
        (Some("ns"), "../../../secrets/x"),
        (Some("ns/../other"), "x"),
        (None, "x"),
        (Some("ns"), "x?force=true"),
    ] {
        assert!(cluster.get(&kind, namespace, name).await.unwrap_err().is_permanent());
        assert!(cluster.json_patch(&kind, namespace, name, None, vec![]).await.is_err());
    }
    assert_eq!(asked.all(), Vec::<String>::new());
}

#[tokio::test]
async fn an_apply_creates_or_updates_never_both() {
    let (cluster, asked) = cluster(|_, body| {
        let body: Value = serde_json::from_str(body).unwrap();
        let meta = &body["metadata"];
        assert_ne!(meta["resourceVersion"] == "1", meta["uid"].is_string(), "{body}");
        Reply::json(200, object("1"))
    });
    let kind = Kind::of::<ConfigMap>();
    let body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}});
    cluster.create_apply(&kind, Some("ns"), "x", &body).await.unwrap();
    assert!(cluster.update_apply(&kind, Some("ns"), "x", &body).await.is_err());
    let mut update = body.clone();
    update["metadata"]["uid"] = json!("1");
    cluster.update_apply(&kind, Some("ns"), "x", &update).await.unwrap();
    cluster.apply_status(&kind, Some("ns"), "x", &update).await.unwrap();
    let apply = "PATCH /api/v1/namespaces/ns/configmaps/x?&force=true&fieldManager=operatorkit.dev%2Ftest";
    let status =
        "PATCH /api/v1/namespaces/ns/configmaps/x/status?&force=true&fieldManager=operatorkit.dev%2Ftest%2Fstatus";
    assert_eq!(asked.all(), [apply, apply, status]);
}

#[tokio::test]
async fn a_json_patch_is_sent_as_it_is() {
    let (cluster, asked) = cluster(|_, body| {
        assert_eq!(
            serde_json::from_str::<Value>(body).unwrap(),
            json!([{"op": "test", "path": "/a", "value": null}])
        );
        Reply::json(422, include_str!("failure/answers/jsonpatch_test.json"))
    });
    let ops = vec![Op::test("/a", Value::Null)];
    let failure = cluster
        .json_patch(&Kind::of::<Deployment>(), Some("ns"), "x", Some("status"), ops)
        .await
        .unwrap_err();
    assert!(failure.is_test_failed(), "{failure}");
    assert_eq!(
        asked.count("PATCH /apis/apps/v1/namespaces/ns/deployments/x/status?"),
        1
    );
}

#[tokio::test]
async fn a_delete_names_uid_and_policy() {
    let (cluster, _) = cluster(|asked, body| {
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["preconditions"]["uid"], "u");
        assert_eq!(body["propagationPolicy"], "Foreground");
        match asked.rsplit_once('/').unwrap().1.trim_end_matches('?') {
            "absent" => Reply::json(404, ABSENT),
            "other" => Reply::json(409, OTHER_UID),
            "status" => Reply::json(200, json!({"kind": "Status", "apiVersion": "v1", "status": "Success"})),
            "held" => Reply::json(200, object("u")),
            _ => Reply::json(404, UNSERVED),
        }
    });
    let kind = Kind::of::<ConfigMap>();
    for gone in ["absent", "other", "status"] {
        let deleted = cluster
            .delete(&kind, Some("ns"), gone, "u", PropagationPolicy::Foreground)
            .await
            .unwrap();
        assert!(matches!(deleted, Deleted::Gone), "{gone}: {deleted:?}");
    }
    let held = cluster
        .delete(&kind, Some("ns"), "held", "u", PropagationPolicy::Foreground)
        .await
        .unwrap();
    assert!(matches!(held, Deleted::Accepted(object) if object.metadata.uid.as_deref() == Some("u")));
    let unserved = cluster
        .delete(&kind, Some("ns"), "else", "u", PropagationPolicy::Foreground)
        .await
        .unwrap_err();
    assert!(unserved.is_not_served());
}

#[tokio::test]
async fn a_list_has_pages_and_begins_anew_when_they_expire() {
    let first = std::sync::atomic::AtomicBool::new(true);
    let (cluster, asked) = cluster(move |asked, _| {
        let item = |name: &str| json!({"metadata": {"name": name}});
        let list = |next: &str, name: &str| {
            json!({"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
            "metadata": {"continue": next, "resourceVersion": "9"}, "items": [item(name)]})
        };
        if !asked.contains("continue=") {
            Reply::json(200, list("c", "one"))
        } else if first.swap(false, std::sync::atomic::Ordering::Relaxed) {
            Reply::json(
                410,
                json!({"kind": "Status", "code": 410, "reason": "Expired", "message": "expired"}),
            )
        } else {
            Reply::json(200, list("", "two"))
        }
    });
    let listed = cluster
        .list_metadata(&Kind::of::<Deployment>(), None, Some("a=b"))
        .await
        .unwrap();
    let names: Vec<_> = listed.into_iter().filter_map(|item| item.metadata.name).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(asked.count("limit=500"), 4);
    assert_eq!(asked.count("labelSelector=a%3Db"), 4);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_never_comes_is_given_up() {
    let (cluster, _) = cluster(|_, _| Reply::Hang);
    let failure = cluster
        .get(&Kind::of::<ConfigMap>(), Some("ns"), "x")
        .await
        .unwrap_err();
    assert_eq!(failure.to_string(), "get ConfigMap ns/x: no answer within 75 s");
    assert_eq!(failure.reason(), "Unreachable");
}

#[tokio::test]
async fn what_does_not_decode_tells_nothing_of_a_secret() {
    let (cluster, _) = cluster(|_, _| Reply::json(200, json!({"metadata": {"generation": "hunter2"}})));
    let failure = cluster.get(&Kind::of::<Secret>(), Some("ns"), "x").await.unwrap_err();
    assert_eq!(failure.reason(), "DecodeFailed");
    assert!(!failure.to_string().contains("hunter2"), "{failure}");
}

#[tokio::test]
async fn a_kind_is_found_in_whichever_version_is_served() {
    let (cluster, asked) = cluster(|asked, _| match asked {
        "GET /apis/demo" => Reply::json(
            200,
            json!({
                "name": "demo",
                "versions": [{"groupVersion": "demo/v2", "version": "v2"}, {"groupVersion": "demo/v1", "version": "v1"}],
                "preferredVersion": {"groupVersion": "demo/v2", "version": "v2"},
            }),
        ),
        "GET /apis/demo/v2" => Reply::json(200, json!({"groupVersion": "demo/v2", "resources": []})),
        "GET /apis/demo/v1" => Reply::json(
            200,
            json!({"groupVersion": "demo/v1", "resources": [
                {"name": "things/scale", "singularName": "", "namespaced": true, "kind": "Thing", "verbs": []},
                {"name": "things", "singularName": "thing", "namespaced": true, "kind": "Thing", "verbs": ["get"]},
            ]}),
        ),
        _ => Reply::Json(404, "404 page not found\n".into()),
    });
    let kind = cluster.serving("demo", "Thing").await.unwrap().unwrap();
    assert_eq!(
        (kind.to_string(), kind.api_version(), &*kind.plural, kind.namespaced),
        ("Thing.demo".into(), "demo/v1".into(), "things", true)
    );
    assert_eq!(asked.all().len(), 3);
    assert_eq!(cluster.serving("none", "Thing").await.unwrap(), None);
    assert_eq!(cluster.resolve("demo/v1", "Other").await.unwrap(), None);
    assert_eq!(cluster.resolve("demo/../v1", "Thing").await.unwrap(), None);
}
