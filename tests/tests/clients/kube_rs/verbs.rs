//! The verbs of `Api`, and subresources.

use operatorkit::{
    k8s_openapi::api::{
        apps::v1::Deployment,
        authentication::v1::TokenRequest,
        core::v1::{ConfigMap, Pod, ServiceAccount},
        policy::v1::PodDisruptionBudget,
    },
    kube::{
        Api, Error, ResourceExt as _,
        api::{
            DeleteParams, EvictParams, ListParams, Patch, PatchParams, PostParams, Preconditions, PropagationPolicy,
            ValidationDirective, WatchEvent, WatchParams,
        },
    },
    serde::de::DeserializeOwned,
    serde_json::{Value, from_value, json},
};
use operatorkit_apiserver::ApiServer;
use operatorkit_testing::{PATIENCE, eventually, eventually_gone};

use super::ways::ways;

#[track_caller]
fn typed<K: DeserializeOwned>(object: Value) -> K {
    from_value(object).expect("an object")
}

/// The code of a refusal.
#[track_caller]
fn code<T: std::fmt::Debug>(answer: Result<T, Error>) -> u16 {
    match answer {
        Err(Error::Api(status)) => status.code,
        other => panic!("no refusal: {other:?}"),
    }
}

fn deployment(replicas: u32) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web", "labels": { "app": "web" } },
        "spec": {
            "replicas": replicas, "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } }, "spec": { "containers": [{ "name": "c", "image": "i" }] },
            },
        },
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_are_written_and_read() {
    for way in ways(ApiServer::builder).await {
        println!("{}", way.name);
        let maps = Api::<ConfigMap>::default_namespaced(way.client.clone());
        let new = typed::<ConfigMap>(json!({ "metadata": { "generateName": "map-" }, "data": { "k": "1" } }));
        let post = PostParams::default();
        let mut map = maps.create(&post, &new).await.expect("it is created");
        let name = map.name_any();
        assert!(name.starts_with("map-") && name.len() == 9, "{name}");
        assert_eq!(
            code(maps.create(&post, &map).await),
            500,
            "resourceVersion must not be set"
        );

        map.data.get_or_insert_default().insert("k".into(), "2".into());
        let replaced = maps.replace(&name, &post, &map).await.expect("it is replaced");
        assert_eq!(code(maps.replace(&name, &post, &map).await), 409, "the version is old");
        assert_eq!(maps.get_metadata(&name).await.expect("metadata").uid(), replaced.uid());
        assert!(maps.get_opt("nobody").await.expect("an answer").is_none());

        let patch = PatchParams::default();
        let json: Patch<Value> = Patch::Json(typed(json!([{ "op": "replace", "path": "/data/k", "value": "3" }])));
        let patched = maps.patch(&name, &patch, &json).await.expect("a JSON patch");
        assert_eq!(patched.data.expect("data")["k"], "3");
        let strategic = Patch::Strategic(json!({ "metadata": { "labels": { "a": "b" } } }));
        maps.patch(&name, &patch, &strategic).await.expect("a strategic patch");
        let listed = maps
            .list_metadata(&ListParams::default().labels("a=b"))
            .await
            .expect("a list");
        assert_eq!(listed.items.len(), 1);

        let strict = PatchParams {
            field_validation: Some(ValidationDirective::Strict),
            ..PatchParams::default()
        };
        let unknown = Patch::Merge(json!({ "unknown": 1 }));
        assert!(matches!(code(maps.patch(&name, &strict, &unknown).await), 400 | 422));
        let wrong = DeleteParams::default().preconditions(Preconditions {
            uid: Some("other".into()),
            ..Preconditions::default()
        });
        assert_eq!(code(maps.delete(&name, &wrong).await), 409);
        let deleted = maps
            .delete(&name, &DeleteParams::default())
            .await
            .expect("it is deleted");
        assert!(deleted.right().is_some_and(|status| status.is_success()));
        assert_eq!(code(maps.get(&name).await), 404);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_apply_one_object() {
    for way in ways(ApiServer::builder).await {
        println!("{}", way.name);
        let maps = Api::<ConfigMap>::default_namespaced(way.client.clone());
        let map = |data: Value| {
            Patch::Apply(json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": data }))
        };
        let (alice, bob) = (PatchParams::apply("alice"), PatchParams::apply("bob"));
        maps.patch("a", &alice, &map(json!({ "x": "1", "y": "1" })))
            .await
            .expect("alice makes it");
        maps.patch("a", &bob, &map(json!({ "z": "1" })))
            .await
            .expect("bob adds");
        assert_eq!(code(maps.patch("a", &bob, &map(json!({ "x": "2" }))).await), 409);
        maps.patch("a", &bob.clone().force(), &map(json!({ "x": "2" })))
            .await
            .expect("bob takes it");
        let after = maps.patch("a", &alice, &map(json!({}))).await.expect("alice lets go");
        assert_eq!(
            after.data.expect("data").into_iter().collect::<Vec<_>>(),
            [("x".to_owned(), "2".to_owned())]
        );
        let before = maps.get("a").await.expect("it is there").resource_version();
        let same = maps
            .patch("a", &bob, &map(json!({ "x": "2" })))
            .await
            .expect("bob says it again");
        assert_eq!(
            same.resource_version(),
            before,
            "an apply that changes nothing changes no version"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deployments_are_scaled_and_pods_evicted() {
    for way in ways(|| ApiServer::builder().workloads(true)).await {
        println!("{}", way.name);
        let deployments = Api::<Deployment>::default_namespaced(way.client.clone());
        let pods = Api::<Pod>::default_namespaced(way.client.clone());
        let ready = |count: i32| {
            move |it: &Deployment| it.status.as_ref().and_then(|it| it.ready_replicas).unwrap_or(0) == count
        };
        deployments
            .create(&PostParams::default(), &typed(deployment(2)))
            .await
            .expect("it is created");
        eventually(&deployments, "web", "has two Pods", PATIENCE, ready(2)).await;
        let three = Patch::Merge(json!({ "spec": { "replicas": 3 } }));
        let scale = deployments
            .patch_scale("web", &PatchParams::default(), &three)
            .await
            .expect("it is scaled");
        assert_eq!(scale.spec.and_then(|spec| spec.replicas), Some(3));
        eventually(&deployments, "web", "has three Pods", PATIENCE, ready(3)).await;
        let mut scale = deployments.get_scale("web").await.expect("a scale");
        scale.spec.get_or_insert_default().replicas = Some(1);
        deployments
            .replace_scale("web", &PostParams::default(), &scale)
            .await
            .expect("it is scaled");
        eventually(&deployments, "web", "has one Pod", PATIENCE, ready(1)).await;

        let web = ListParams::default().labels("app=web");
        // A Pod that does not run yet is evicted whatever a budget says.
        let victim = async || {
            let running = |pod: &Pod| {
                let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
                phase == Some("Running") && pod.metadata.deletion_timestamp.is_none()
            };
            let all = pods.list(&web).await.expect("Pods").items;
            all.into_iter().find(running).expect("a Pod").name_any()
        };
        let budgets = Api::<PodDisruptionBudget>::default_namespaced(way.client.clone());
        let name = victim().await;
        pods.evict(&name, &EvictParams::default()).await.expect("it is evicted");
        eventually_gone(&pods, &name, PATIENCE).await;
        way.server.settled().await;
        eventually(&deployments, "web", "has another Pod", PATIENCE, ready(1)).await;
        // A budget that nobody has computed yet allows nothing.
        let budget = json!({
            "metadata": { "name": "web" },
            "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": "web" } } },
        });
        budgets
            .create(&PostParams::default(), &typed(budget))
            .await
            .expect("a budget");
        assert_eq!(code(pods.evict(&victim().await, &EvictParams::default()).await), 429);

        let foreground = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Foreground),
            ..DeleteParams::default()
        };
        deployments.delete("web", &foreground).await.expect("it is deleted");
        eventually_gone(&deployments, "web", PATIENCE).await;
        assert!(
            pods.list(&web).await.expect("Pods").items.is_empty(),
            "they go before it"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watches_and_tokens() {
    use futures::{StreamExt as _, TryStreamExt as _};
    for way in ways(ApiServer::builder).await {
        println!("{}", way.name);
        let accounts = Api::<ServiceAccount>::default_namespaced(way.client.clone());
        let robot = typed::<ServiceAccount>(json!({ "metadata": { "name": "robot" } }));
        accounts
            .create(&PostParams::default(), &robot)
            .await
            .expect("it is created");
        let params = WatchParams::default().timeout(60).fields("metadata.name=robot");
        let mut events = accounts.watch(&params, "0").await.expect("a watch").boxed();
        let first = events.try_next().await.expect("whole").expect("an event");
        assert!(matches!(first, WatchEvent::Added(account) if account.name_any() == "robot"));
        let wish = typed::<TokenRequest>(json!({ "spec": { "audiences": [] } }));
        let token = accounts
            .create_token_request("robot", &PostParams::default(), &wish)
            .await
            .expect("a token");
        let token = token.status.and_then(|status| status.token).unwrap_or_default();
        assert_eq!(token.matches('.').count(), 2);
    }
}
