//! A watch against a server that misbehaves.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::*;
use crate::cluster::{
    mock::{Asked, Reply, cluster},
    target::{Target, Verb},
};

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn say(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    async fn wait_for(&self, what: &str, within: u64) {
        let seen = async {
            while !self.all().iter().any(|said| said.contains(what)) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(within), seen)
            .await
            .unwrap_or_else(|_| panic!("no {what} in {:?}", self.all()));
    }
}

impl Sink for Log {
    fn begin(&self) {
        self.say("begin");
    }
    fn seen(&self, object: DynamicObject) {
        self.say(format!("seen {}", named(&object)));
    }
    fn filled(&self) {
        self.say("filled");
    }
    fn applied(&self, object: DynamicObject) {
        self.say(format!("applied {}", named(&object)));
    }
    fn deleted(&self, object: DynamicObject) {
        self.say(format!("deleted {}", named(&object)));
    }
    fn failing(&self, failure: &Failure) {
        self.say(format!("failing {}", failure.reason()));
    }
    fn recovered(&self) {
        self.say("recovered");
    }
}

fn named(object: &DynamicObject) -> String {
    assert_eq!(object.metadata.managed_fields, None);
    assert_eq!(object.types.as_ref().unwrap().kind, "ConfigMap");
    object.metadata.name.clone().unwrap()
}

fn object(name: &str, version: &str) -> Value {
    json!({"metadata": {"name": name, "resourceVersion": version, "managedFields": [{"manager": "m"}]}})
}

fn list(version: &str, names: &[&str]) -> Reply {
    let items: Vec<_> = names.iter().map(|name| object(name, version)).collect();
    Reply::json(
        200,
        json!({"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": version}, "items": items}),
    )
}

fn event(type_: &str, object: &Value) -> String {
    let mut object = object.clone();
    if type_ != "ERROR" {
        object["apiVersion"] = json!("v1");
        object["kind"] = json!("ConfigMap");
    }
    format!("{}\n", json!({"type": type_, "object": object}))
}

fn status(code: u16, message: &str) -> Value {
    json!({"kind": "Status", "apiVersion": "v1", "code": code, "reason": "", "message": message, "details": {}})
}

fn is_watch(asked: &str) -> bool {
    asked.contains("watch=true")
}

fn start(answer: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> (Arc<Log>, Asked, CancellationToken) {
    let calls = AtomicUsize::new(0);
    let (cluster, asked) = cluster(move |asked, _| answer(asked, calls.fetch_add(1, Ordering::Relaxed)));
    let (log, shutdown) = (Arc::<Log>::default(), CancellationToken::new());
    let kind = Arc::new(Kind::of::<ConfigMap>());
    tokio::spawn(watch(
        cluster,
        kind,
        Some("ns".into()),
        Shown::labelled("a=b".into()),
        log.clone(),
        shutdown.clone(),
    ));
    (log, asked, shutdown)
}

#[tokio::test(start_paused = true)]
async fn it_lists_and_follows_from_there() {
    let (log, asked, _) = start(|asked, _| match asked {
        asked if asked.contains("resourceVersion=7") => {
            let changes = [
                event("ADDED", &object("b", "8")),
                event("DELETED", &object("a", "9")),
                event("BOOKMARK", &object("", "12")),
            ];
            Reply::Json(200, changes.concat())
        }
        asked if is_watch(asked) => Reply::Hang,
        _ => list("7", &["a"]),
    });
    log.wait_for("deleted a", 5).await;
    assert_eq!(log.all(), ["begin", "seen a", "filled", "applied b", "deleted a"]);
    while asked.count("watch=true") < 2 {
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(asked.count("resourceVersion=12"), 1, "{:?}", asked.all());
    assert_eq!(asked.count("labelSelector=a%3Db"), 3, "{:?}", asked.all());
}

#[tokio::test(start_paused = true)]
async fn gone_as_an_answer_leads_to_a_new_list() {
    let (log, ..) = start(|asked, call| match asked {
        asked if is_watch(asked) && call < 2 => Reply::json(410, status(410, "too old")),
        asked if is_watch(asked) => Reply::Hang,
        _ if call == 0 => list("1", &["a"]),
        _ => list("5", &["new"]),
    });
    log.wait_for("seen new", 5).await;
    assert_eq!(log.all()[..5], ["begin", "seen a", "filled", "begin", "seen new"]);
}

#[tokio::test(start_paused = true)]
async fn gone_within_the_stream_leads_to_a_new_list() {
    let (log, ..) = start(|asked, call| match asked {
        asked if is_watch(asked) && call < 2 => Reply::Json(200, event("ERROR", &status(410, "too old"))),
        asked if is_watch(asked) => Reply::Hang,
        _ if call == 0 => list("1", &["a"]),
        _ => list("5", &["new"]),
    });
    log.wait_for("seen new", 5).await;
    assert!(
        !log.all().iter().any(|said| said.starts_with("failing")),
        "{:?}",
        log.all()
    );
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_ends_at_once_is_not_hammered() {
    let (_, asked, _) = start(|asked, _| {
        if is_watch(asked) {
            Reply::Json(200, String::new())
        } else {
            list("1", &[])
        }
    });
    sleep(Duration::from_secs(30)).await;
    let requests = asked.all().len();
    assert!((5..=20).contains(&requests), "{requests} requests in 30 s");
}

#[tokio::test(start_paused = true)]
async fn gone_again_and_again_is_not_hammered_either() {
    let (_, asked, _) = start(|asked, _| {
        if is_watch(asked) {
            Reply::json(410, status(410, "too old"))
        } else {
            list("1", &[])
        }
    });
    sleep(Duration::from_secs(30)).await;
    let requests = asked.all().len();
    assert!((5..=30).contains(&requests), "{requests} requests in 30 s");
}

#[tokio::test(start_paused = true)]
async fn a_kind_that_is_installed_later_is_seen_soon() {
    let began = tokio::time::Instant::now();
    let (log, asked, _) = start(move |asked, _| match asked {
        _ if began.elapsed() < Duration::from_mins(1) => Reply::Json(404, "404 page not found\n".into()),
        asked if is_watch(asked) => Reply::Hang,
        _ => list("1", &["a"]),
    });
    log.wait_for("failing KindNotServed", 1).await;
    log.wait_for("filled", 71).await;
    let said = log.all();
    let failed = said.iter().filter(|said| *said == "failing KindNotServed").count();
    assert!((7..=30).contains(&failed), "{failed} tries");
    assert_eq!(
        said[said.len() - 4..],
        ["begin", "seen a", "recovered", "filled"],
        "{said:?}"
    );
    assert!(asked.all().len() <= failed + 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_away_is_followed_from_the_same_version() {
    let (log, asked, _) = start(|asked, call| match asked {
        asked if is_watch(asked) && call < 12 => Reply::Break,
        asked if is_watch(asked) => Reply::Json(200, event("ADDED", &object("b", "2"))),
        _ => list("1", &["a"]),
    });
    log.wait_for("applied b", 120).await;
    let said: Vec<_> = log
        .all()
        .into_iter()
        .filter(|said| said != "failing Unreachable")
        .collect();
    assert_eq!(said, ["begin", "seen a", "filled", "recovered", "applied b"]);
    assert_eq!(asked.count("limit=500"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_is_forbidden_is_not_recovered_by_its_list() {
    let (log, ..) = start(|asked, _| match asked {
        asked if is_watch(asked) => Reply::json(403, status(403, "cannot watch resource")),
        _ => list("1", &[]),
    });
    sleep(Duration::from_mins(2)).await;
    let said = log.all();
    assert!(said.iter().filter(|said| *said == "failing Forbidden").count() > 5);
    assert!(!said.contains(&"recovered".to_owned()), "{said:?}");
}

#[tokio::test(start_paused = true)]
async fn a_version_that_brings_nothing_but_errors_is_given_up() {
    let (log, ..) = start(|asked, call| match asked {
        asked if is_watch(asked) && asked.contains("resourceVersion=1") => {
            Reply::Json(200, event("ERROR", &status(500, "odd")))
        }
        asked if is_watch(asked) => Reply::Json(200, event("ADDED", &object("b", "99"))),
        _ if call == 0 => list("1", &[]),
        _ => list("5", &["a"]),
    });
    log.wait_for("applied b", 60).await;
    let said = log.all();
    assert_eq!(
        said[said.len() - 5..],
        ["begin", "seen a", "filled", "recovered", "applied b"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_dead_connection_is_given_up() {
    let (cluster, _) = cluster(|_, _| Reply::Hang);
    let kind = Arc::new(Kind::of::<ConfigMap>());
    let health = Health::new(&kind, None, None);
    let mut watch = Watch {
        cluster,
        kind: kind.clone(),
        namespace: None,
        shown: Shown::default(),
        sink: Arc::<Log>::default(),
        health,
    };
    let target = Target::all(Verb::Watch, &kind, None);
    let mut version = "1".to_owned();
    let taken = watch.take_all(target, futures::stream::pending(), &mut version);
    assert!(matches!(timeout(Duration::from_mins(5), taken).await, Ok(End::Over)));
}

#[tokio::test(start_paused = true)]
async fn it_ends_with_the_shutdown() {
    let (cluster, _) = cluster(|_, _| Reply::Hang);
    let shutdown = CancellationToken::new();
    let task = tokio::spawn(watch(
        cluster,
        Arc::new(Kind::of::<ConfigMap>()),
        None,
        Shown::default(),
        Arc::<Log>::default(),
        shutdown.clone(),
    ));
    shutdown.cancel();
    timeout(Duration::from_secs(1), task).await.unwrap().unwrap();
}
