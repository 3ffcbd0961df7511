//! What a scrape shows of an operator that measures, without an API server.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use prometheus_client::{metrics::counter::Counter, registry::Registry};
use tokio::time::advance;

use super::*;
use crate::{graph::Role, layer::Verb};

fn meter(metrics: &Metrics, name: &str) -> Arc<Meter> {
    let meter = Arc::new(Meter::new(name, "Thing"));
    meter.has([("web", Role::Manifest), ("cloud", Role::External), ("note", Role::Step)]);
    metrics.add(meter.clone());
    meter
}

/// Each sample, with its labels, and its value.
fn samples(metrics: &Metrics) -> BTreeMap<String, String> {
    let text = metrics.scrape(Format::OpenMetrics);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            line.rsplit_once(' ')
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .unwrap()
        })
        .collect()
}

#[test]
fn everything_is_there_at_zero_from_the_start() {
    let metrics = Metrics::new("app");
    let _meter = meter(&metrics, "one");
    let samples = samples(&metrics);
    let zero = [
        "operatorkit_controller_errors_total{controller=\"one\"}",
        "operatorkit_controller_event_count{controller=\"one\",event=\"update\",result=\"success\"}",
        "operatorkit_controller_event_count{controller=\"one\",event=\"delete\",result=\"error\"}",
        "operatorkit_controller_last_reconciled{controller=\"one\"}",
        "operatorkit_controller_operation_total{controller=\"one\",resource=\"web\",operation=\"apply\",result=\"success\"}",
        "operatorkit_controller_operation_count{controller=\"one\",resource=\"cloud\",operation=\"find\",result=\"error\"}",
        "operatorkit_controller_operation_bucket{le=\"+Inf\",controller=\"one\",resource=\"note\",operation=\"ensure_deleted\",result=\"success\"}",
        "operatorkit_controller_reconcile_total{controller=\"one\",result=\"paused\"}",
        "operatorkit_controller_reconcile_panics_total{controller=\"one\"}",
        "operatorkit_controller_active_workers{controller=\"one\"}",
        "operatorkit_controller_workqueue_depth{controller=\"one\"}",
        "operatorkit_controller_workqueue_queue_duration_seconds_count{controller=\"one\"}",
        "operatorkit_controller_event_latency_seconds_count{controller=\"one\"}",
        "operatorkit_controller_heartbeat_timestamp_seconds{controller=\"one\"}",
        "operatorkit_controller_watched_objects{controller=\"one\",kind=\"Thing\"}",
        "operatorkit_controller_paused_objects{controller=\"one\",kind=\"Thing\"}",
        "operatorkit_controller_rest_client_requests_total{controller=\"one\",verb=\"watch\",code=\"200\"}",
        "operatorkit_controller_rest_client_requests_total{controller=\"one\",verb=\"get\",code=\"<error>\"}",
        "operatorkit_metrics_collector_failures_total",
    ];
    for name in zero {
        assert_eq!(
            samples.get(name).map(String::as_str),
            Some("0"),
            "{name} in {samples:#?}"
        );
    }
    let changed: Vec<_> = samples
        .iter()
        .filter(|(name, value)| !["0", "0.0"].contains(&value.as_str()) && !name.starts_with("operatorkit_leader"))
        .collect();
    assert_eq!(changed, Vec::new());
    assert_eq!(samples["operatorkit_leader_election_master_status{name=\"app\"}"], "1");
}

#[test]
fn what_happens_is_counted_for_its_operator_alone() {
    let metrics = Metrics::new("app");
    let (one, _two) = (meter(&metrics, "one"), meter(&metrics, "two"));
    let second = Duration::from_secs(1);
    one.came(false, Came::Success, second);
    one.came(true, Came::Error, second);
    one.came(false, Came::Paused, second);
    one.operation("web", Verb::Apply, Outcome::Error, second);
    one.operation("unknown", Verb::Apply, Outcome::Error, second);
    one.requests().answered("get", Some(404));
    one.requests().answered("get", None);
    one.panicked();
    let samples = samples(&metrics);
    let value = |name: &str| samples.get(name).map_or("none", String::as_str);
    for (name, wanted) in [
        ("operatorkit_controller_errors_total{controller=\"one\"}", "1"),
        (
            "operatorkit_controller_event_count{controller=\"one\",event=\"update\",result=\"success\"}",
            "1",
        ),
        (
            "operatorkit_controller_event_sum{controller=\"one\",event=\"delete\",result=\"error\"}",
            "1.0",
        ),
        (
            "operatorkit_controller_event_count{controller=\"one\",event=\"update\",result=\"error\"}",
            "0",
        ),
        (
            "operatorkit_controller_reconcile_total{controller=\"one\",result=\"paused\"}",
            "1",
        ),
        (
            "operatorkit_controller_operation_total{controller=\"one\",resource=\"web\",operation=\"apply\",result=\"error\"}",
            "1",
        ),
        (
            "operatorkit_controller_operation_total{controller=\"one\",resource=\"web\",operation=\"apply\",result=\"success\"}",
            "0",
        ),
        (
            "operatorkit_controller_operation_total{controller=\"one\",resource=\"unknown\",operation=\"apply\",result=\"error\"}",
            "none",
        ),
        (
            "operatorkit_controller_rest_client_requests_total{controller=\"one\",verb=\"get\",code=\"404\"}",
            "1",
        ),
        (
            "operatorkit_controller_rest_client_requests_total{controller=\"one\",verb=\"get\",code=\"<error>\"}",
            "1",
        ),
        ("operatorkit_controller_reconcile_panics_total{controller=\"one\"}", "1"),
        ("operatorkit_controller_errors_total{controller=\"two\"}", "0"),
    ] {
        assert_eq!(value(name), wanted, "{name}");
    }
    assert_ne!(value("operatorkit_controller_last_reconciled{controller=\"one\"}"), "0");
}

#[derive(Default)]
struct Stores(Mutex<Vec<ObjectSeen>>);

impl Source for Stores {
    fn queue(&self) -> QueueSeen {
        QueueSeen {
            queued: 3,
            running: 2,
            longest: Duration::from_secs(7),
        }
    }

    fn objects(&self) -> Vec<ObjectSeen> {
        self.0.lock().unwrap().clone()
    }

    fn children(&self) -> BTreeMap<ChildrenOf, usize> {
        let of = ChildrenOf {
            resource: "web".into(),
            group: "apps".to_owned(),
            kind: "Deployment".to_owned(),
        };
        BTreeMap::from([(of, 0)])
    }
}

#[test]
fn series_about_an_object_are_read_from_the_store_and_end_with_it() {
    let metrics = Metrics::new("app");
    let meter = meter(&metrics, "one");
    let at = |second| Some(Time(Timestamp::from_second(second).unwrap()));
    let meta = ObjectMeta {
        name: Some("x".to_owned()),
        namespace: Some("default".to_owned()),
        creation_timestamp: at(100),
        deletion_timestamp: at(200),
        ..ObjectMeta::default()
    };
    let stores = Arc::new(Stores(Mutex::new(vec![ObjectSeen {
        meta: Arc::new(meta),
        paused: true,
    }])));
    let source: Arc<dyn Source> = stores.clone();
    meter.read_from(Arc::downgrade(&source));
    let created =
        "operatorkit_controller_creation_timestamp{kind=\"Thing\",name=\"x\",namespace=\"default\",controller=\"one\"}";
    let deleted =
        "operatorkit_controller_deletion_timestamp{kind=\"Thing\",name=\"x\",namespace=\"default\",controller=\"one\"}";
    let seen = samples(&metrics);
    assert_eq!((&*seen[created], &*seen[deleted]), ("100", "200"));
    let of_kind = |seen: &BTreeMap<String, String>, what: &str| {
        seen[&format!("operatorkit_controller_{what}{{controller=\"one\",kind=\"Thing\"}}")].clone()
    };
    assert_eq!(of_kind(&seen, "watched_objects"), "1");
    assert_eq!(of_kind(&seen, "paused_objects"), "1");
    assert_eq!(seen["operatorkit_controller_workqueue_depth{controller=\"one\"}"], "3");
    assert_eq!(seen["operatorkit_controller_active_workers{controller=\"one\"}"], "2");
    assert_eq!(
        seen["operatorkit_controller_workqueue_longest_running_processor_seconds{controller=\"one\"}"],
        "7.0"
    );
    let children =
        "operatorkit_controller_children{controller=\"one\",resource=\"web\",group=\"apps\",kind=\"Deployment\"}";
    assert_eq!(seen[children], "0");
    stores.0.lock().unwrap().clear();
    let seen = samples(&metrics);
    assert!(!seen.contains_key(created) && !seen.contains_key(deleted), "{seen:?}");
    assert_eq!(of_kind(&seen, "watched_objects"), "0");
}

#[tokio::test(start_paused = true)]
async fn a_watch_has_series_while_it_runs_and_its_age_grows_in_silence() {
    let metrics = Metrics::new("app");
    let meter = meter(&metrics, "one");
    let labels = "{controller=\"one\",group=\"apps\",kind=\"Deployment\",namespace=\"ns\"}";
    let value = |what: &str| samples(&metrics).remove(&format!("operatorkit_controller_watch_{what}{labels}"));
    let watch = meter.watch("apps", "Deployment", Some("ns"));
    assert_eq!(value("connected").as_deref(), Some("0.0"));
    assert_eq!(value("last_event_timestamp_seconds").as_deref(), Some("0.0"));
    watch.opened();
    watch.event();
    assert_eq!(value("connected").as_deref(), Some("1.0"));
    assert_ne!(value("last_event_timestamp_seconds").as_deref(), Some("0.0"));
    advance(Duration::from_secs(9)).await;
    assert_eq!(value("age_seconds").as_deref(), Some("9.0"));
    // Another one with the same labels, which is worse.
    let other = meter.watch("apps", "Deployment", Some("ns"));
    assert_eq!(value("connected").as_deref(), Some("0.0"));
    drop(other);
    assert_eq!(value("connected").as_deref(), Some("1.0"));
    watch.closed();
    assert_eq!(value("connected").as_deref(), Some("0.0"));
    drop(watch);
    assert_eq!(value("connected"), None);
}

#[tokio::test(start_paused = true)]
async fn it_lives_while_its_loop_makes_its_rounds_and_no_watch_has_died() {
    let metrics = Metrics::new("app");
    let meter = meter(&metrics, "one");
    assert_eq!(metrics.dead(), [""; 0]);
    meter.beats();
    advance(Duration::from_secs(59)).await;
    assert_eq!(metrics.dead(), [""; 0]);
    advance(Duration::from_secs(2)).await;
    assert_eq!(metrics.dead(), ["one: its loop is stuck"]);
    // In a shutdown nobody makes rounds.
    meter.stops();
    assert_eq!(metrics.dead(), [""; 0]);
    let watch = meter.watch("apps", "Deployment", None);
    let panicked = tokio::spawn(async move {
        let _watch = watch;
        panic!("a bug");
    });
    assert!(panicked.await.is_err());
    assert_eq!(metrics.dead(), ["one: dead watches: Deployment"]);
}

#[test]
fn what_two_operators_register_is_one_family() {
    let metrics = Metrics::new("app");
    for name in ["one", "two"] {
        let calls = Counter::<u64>::default();
        calls.inc();
        let mut registry = Registry::with_labels([("controller".into(), name.into())].into_iter());
        registry.register("cloud_calls", "Calls to the cloud", calls);
        metrics.register(registry);
    }
    let text = metrics.scrape(Format::OpenMetrics);
    let wanted = "# HELP cloud_calls Calls to the cloud.\n# TYPE cloud_calls counter\n\
                  cloud_calls_total{controller=\"one\"} 1\ncloud_calls_total{controller=\"two\"} 1\n";
    assert!(text.contains(wanted), "{text}");
    assert_eq!(text.matches("# TYPE cloud_calls ").count(), 1);
}

#[test]
fn the_documentation_lists_every_family_and_no_other() {
    let metrics = Metrics::new("app");
    let _meter = meter(&metrics, "one");
    let text = metrics.scrape(Format::Prometheus);
    let mut there: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_whitespace().next())
        .collect();
    let mut listed: Vec<_> = include_str!("mod.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split('`').next())
        .collect();
    there.sort_unstable();
    listed.sort_unstable();
    assert_eq!(there, listed);
}
