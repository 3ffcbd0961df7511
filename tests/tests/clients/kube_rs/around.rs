//! Discovery, events, leases.

use operatorkit::{
    k8s_openapi::{
        api::{
            authorization::v1::SelfSubjectAccessReview,
            coordination::v1::Lease,
            core::v1::{ConfigMap, Event as CoreEvent},
            events::v1::Event as NewEvent,
        },
        apimachinery::pkg::apis::meta::v1::MicroTime,
        jiff::{SignedDuration, Timestamp},
    },
    kube::{
        Api, Discovery, Error, Resource as _,
        api::{DynamicObject, GroupVersionKind, ListParams, PostParams},
        discovery::{self, Scope},
        runtime::events::{Event, EventType, Recorder, Reporter},
    },
    serde_json::{from_value, json},
};
use operatorkit_apiserver::ApiServer;

use super::ways::ways;

const CRONTAB: &str = r#"{
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": { "name": "crontabs.stable.example.com" },
    "spec": {
        "group": "stable.example.com", "scope": "Namespaced",
        "names": { "plural": "crontabs", "kind": "CronTab", "shortNames": ["ct"] },
        "versions": [{
            "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
            "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } }
        }]
    }
}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_are_discovered() {
    for way in ways(ApiServer::builder).await {
        println!("{}", way.name);
        let gvk = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
        let (resource, _) = discovery::pinned_kind(&way.client, &gvk).await.expect("it is served");
        let crds = Api::<DynamicObject>::all_with(way.client.clone(), &resource);
        let crontab: DynamicObject = operatorkit::serde_json::from_str(CRONTAB).expect("a definition");
        crds.create(&PostParams::default(), &crontab)
            .await
            .expect("it is created");

        let old = Discovery::new(way.client.clone()).run().await.expect("the old form");
        let new = Discovery::new(way.client.clone())
            .run_aggregated()
            .await
            .expect("the aggregated form");
        for found in [&old, &new] {
            let gvk = GroupVersionKind::gvk("stable.example.com", "v1", "CronTab");
            let (resource, can) = found.resolve_gvk(&gvk).expect("the custom kind");
            assert_eq!((resource.plural.as_str(), can.scope), ("crontabs", Scope::Namespaced));
            assert!(
                can.subresources.iter().any(|(it, _)| it.plural == "status"),
                "{:?}",
                can.subresources
            );
            for group in ["", "apps", "batch", "rbac.authorization.k8s.io", "events.k8s.io"] {
                assert!(found.has_group(group), "{group}");
            }
        }
        let names = |found: &Discovery| {
            let groups = found.groups_alphabetical().into_iter();
            let all = groups.flat_map(discovery::ApiGroup::recommended_resources);
            let mut all: Vec<_> = all
                .map(|(it, can)| (it.api_version, it.plural, it.kind, can.operations))
                .collect();
            all.sort();
            all
        };
        assert_eq!(names(&old), names(&new));
        let version = way.client.apiserver_version().await.expect("a version");
        assert_eq!((version.major.as_str(), version.minor.as_str()), ("1", "37"));
    }
}

/// Events are one store, by whichever of the two groups they come and are read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_are_recorded() {
    for way in ways(ApiServer::builder).await {
        println!("{}", way.name);
        let maps = Api::<ConfigMap>::default_namespaced(way.client.clone());
        let map: ConfigMap = from_value(json!({ "metadata": { "name": "a" } })).expect("an object");
        let map = maps.create(&PostParams::default(), &map).await.expect("it is created");
        let recorder = Recorder::new(way.client.clone(), Reporter::from("tester"));
        let event = Event {
            type_: EventType::Warning,
            reason: "Tested".into(),
            note: Some("it was tested".into()),
            action: "Testing".into(),
            secondary: None,
        };
        for _ in 0..3 {
            recorder
                .publish(&event, &map.object_ref(&()))
                .await
                .expect("it is published");
        }
        let new = Api::<NewEvent>::default_namespaced(way.client.clone());
        let new = new.list(&ListParams::default()).await.expect("events").items;
        assert_eq!(new.len(), 1);
        assert_eq!(new[0].series.as_ref().map(|series| series.count), Some(3));
        let core = Api::<CoreEvent>::default_namespaced(way.client.clone());
        let about = ListParams::default().fields("involvedObject.name=a,reason=Tested,type=Warning");
        let core = core.list(&about).await.expect("events").items;
        assert_eq!(core.len(), 1);
        assert_eq!(core[0].message.as_deref(), Some("it was tested"));
        assert_eq!(core[0].reporting_component.as_deref(), Some("tester"));
    }
}

/// Of many who want to lead, one does; when its time is over, another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_leads() {
    for way in ways(ApiServer::builder).await {
        println!("{}", way.name);
        let leases = Api::<Lease>::default_namespaced(way.client.clone());
        let lease: Lease = from_value(json!({ "metadata": { "name": "leader" } })).expect("a Lease");
        leases
            .create(&PostParams::default(), &lease)
            .await
            .expect("it is created");
        let mut last = String::new();
        for round in 0..3_i32 {
            // All of them have seen the same version.
            let seen = leases.get("leader").await.expect("it is there");
            let attempts = (0..10).map(|candidate| {
                let (leases, mut mine) = (leases.clone(), seen.clone());
                tokio::spawn(async move {
                    let spec = mine.spec.get_or_insert_default();
                    spec.holder_identity = Some(format!("candidate-{candidate}"));
                    spec.lease_transitions = Some(round);
                    spec.renew_time = Some(MicroTime(Timestamp::now() + SignedDuration::from_secs(1)));
                    match leases.replace("leader", &PostParams::default(), &mine).await {
                        Ok(_) => true,
                        Err(Error::Api(status)) if status.is_conflict() => false,
                        Err(error) => panic!("{error}"),
                    }
                })
            });
            let mut won = Vec::new();
            for (candidate, attempt) in attempts.collect::<Vec<_>>().into_iter().enumerate() {
                if attempt.await.expect("no panic") {
                    won.push(format!("candidate-{candidate}"));
                }
            }
            assert_eq!(won.len(), 1, "{won:?}");
            let spec = leases.get("leader").await.expect("it is there").spec.expect("a spec");
            assert_eq!(spec.holder_identity.as_deref(), Some(won[0].as_str()), "after {last}");
            last = won.remove(0);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_may_ask_what_they_may() {
    for way in ways(|| ApiServer::builder().rbac(true)).await {
        let reviews = Api::<SelfSubjectAccessReview>::all(way.client.clone());
        let review = json!({ "spec": { "resourceAttributes": { "verb": "delete", "resource": "nodes" } } });
        let review = reviews
            .create(&PostParams::default(), &from_value(review).expect("a review"))
            .await;
        assert!(
            review.expect("an answer").status.expect("a status").allowed,
            "{}",
            way.name
        );
    }
}
