//! `watcher` with both of its strategies, and what it does when watches break.

use std::{pin::Pin, time::Duration};

use futures::{Stream, StreamExt as _};
use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        Api, Client, ResourceExt as _,
        api::{DeleteParams, ListParams, ObjectMeta, Patch, PatchParams, PostParams},
        runtime::{
            WatchStreamExt as _,
            watcher::{self, Event, watcher},
        },
    },
    serde_json::json,
};
use operatorkit_apiserver::{
    ApiServer,
    fault::{Effect, Fault, Interference, Matching},
    tap::Entry,
};
use operatorkit_testing::PATIENCE;

use super::ways::{Way, ways};

type Events = Pin<Box<dyn Stream<Item = watcher::Result<Event<ConfigMap>>> + Send>>;

fn maps(client: &Client) -> Api<ConfigMap> {
    Api::default_namespaced(client.clone())
}

async fn create(client: &Client, names: &[&str]) {
    for name in names {
        let map = ConfigMap {
            metadata: ObjectMeta {
                name: Some((*name).into()),
                labels: Some([("for".to_owned(), "watching".to_owned())].into()),
                ..ObjectMeta::default()
            },
            ..ConfigMap::default()
        };
        maps(client)
            .create(&PostParams::default(), &map)
            .await
            .expect("it is created");
    }
}

/// The next event in words; errors count as events.
async fn said(events: &mut Events) -> String {
    let next = tokio::time::timeout(PATIENCE, events.next()).await.expect("an event");
    match next.expect("a watcher has no end") {
        Ok(Event::Init) => "init".into(),
        Ok(Event::InitApply(map)) => format!("has {}", map.name_any()),
        Ok(Event::InitDone) => "done".into(),
        Ok(Event::Apply(map)) => format!("apply {}", map.name_any()),
        Ok(Event::Delete(map)) => format!("delete {}", map.name_any()),
        Err(error) => format!("error {error}"),
    }
}

async fn take(events: &mut Events, count: usize) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(said(events).await);
    }
    all
}

fn strategies() -> [watcher::Config; 4] {
    let own = || watcher::Config::default().labels("for=watching");
    [
        own(),
        own().page_size(1),
        own().page_size(2).any_semantic(),
        own().streaming_lists(),
    ]
}

fn begin(way: &Way, config: watcher::Config) -> Events {
    println!("{}: {config:?}", way.name);
    Box::pin(watcher(maps(&way.client), config).default_backoff())
}

async fn clear(way: &Way) {
    let (all, now) = (ListParams::default(), DeleteParams::default());
    maps(&way.client)
        .delete_collection(&now, &all)
        .await
        .expect("they are deleted");
    way.server.faults().clear();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_strategies_see_everything() {
    for way in ways(ApiServer::builder).await {
        for config in strategies() {
            create(&way.client, &["a", "b", "c"]).await;
            let mut events = begin(&way, config);
            assert_eq!(take(&mut events, 5).await, ["init", "has a", "has b", "has c", "done"]);
            create(&way.client, &["d"]).await;
            let label = json!({ "metadata": { "labels": { "for": null } } });
            maps(&way.client)
                .patch("b", &PatchParams::default(), &Patch::Merge(&label))
                .await
                .expect("it is patched");
            maps(&way.client)
                .delete("c", &DeleteParams::default())
                .await
                .expect("it is deleted");
            assert_eq!(take(&mut events, 3).await, ["apply d", "delete b", "delete c"]);
            clear(&way).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_watch_goes_on_where_it_was() {
    let watches = || Matching::verbs(["watch"]).resource("configmaps");
    for way in ways(|| ApiServer::builder().tap(10_000)).await {
        for interference in [Interference::BreakAfter(1), Interference::EndAfter(1)] {
            let faults = way.server.faults();
            let fault = faults.add(Fault::new(watches(), Effect::Watch(interference.clone())).times(3));
            let mut events = begin(&way, watcher::Config::default().labels("for=watching"));
            assert_eq!(take(&mut events, 2).await, ["init", "done"]);
            let mark = way.server.tap().mark();
            create(&way.client, &["a", "b", "c", "d"]).await;
            let mut seen = Vec::new();
            while seen.len() < 4 {
                let said = said(&mut events).await;
                if !said.starts_with("error") {
                    seen.push(said);
                }
            }
            assert_eq!(seen, ["apply a", "apply b", "apply c", "apply d"], "{interference:?}");
            assert_eq!(faults.met(fault), 3);
            let lists = way.server.tap().since(mark).into_iter();
            let lists =
                lists.filter(|it| it.info().attributes.verb == "list" && matches!(it.entry, Entry::Request { .. }));
            assert_eq!(lists.count(), 0, "it goes on without a list");
            clear(&way).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_watch_begins_anew() {
    for way in ways(ApiServer::builder).await {
        for config in strategies() {
            create(&way.client, &["a"]).await;
            let watches = Matching::verbs(["watch"]).resource("configmaps");
            let expired = Effect::Watch(Interference::ExpireAfter(2));
            way.server.faults().add(Fault::new(watches, expired).once());
            let mut events = begin(&way, config);
            assert_eq!(take(&mut events, 3).await, ["init", "has a", "done"]);
            create(&way.client, &["b", "c"]).await;
            // With streaming lists the objects that are there count as events.
            let mut seen = Vec::new();
            while seen.last().is_none_or(|last| last != "done") {
                seen.push(said(&mut events).await);
            }
            let last = seen.iter().position(|it| it == "init").expect("it begins anew");
            assert!(seen[..last].iter().any(|it| it.starts_with("error")), "{seen:?}");
            assert_eq!(seen[last..], ["init", "has a", "has b", "has c", "done"], "{seen:?}");
            clear(&way).await;
        }
    }
}

/// A list of many pages while the history is forgotten: the watcher begins anew, and gets there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_expires_begins_anew() {
    for way in ways(ApiServer::builder).await {
        create(&way.client, &["a", "b", "c"]).await;
        let server = way.server.clone();
        // After the first page everything is forgotten.
        let forgets = Matching::verbs(["list"]).resource("configmaps").when(move |_| {
            server.compact();
            true
        });
        let nothing = Effect::Delay(Duration::ZERO);
        way.server.faults().add(Fault::new(forgets, nothing).after(1).once());
        let mut events = begin(&way, watcher::Config::default().labels("for=watching").page_size(1));
        assert_eq!(said(&mut events).await, "init");
        let mut names = Vec::new();
        loop {
            match said(&mut events).await {
                it if it == "done" => break,
                it if it == "init" => names.clear(),
                it => names.push(it),
            }
        }
        names.retain(|it| !it.starts_with("error"));
        assert_eq!(names, ["has a", "has b", "has c"]);
    }
}
