//! The way to the reporters: none is waited for, a panic stops nothing, the end waits.

use std::{
    sync::{Arc, Mutex, mpsc},
    time::{Duration, Instant},
};

use anyhow::anyhow;

use super::*;
use crate::error::ErrorExt as _;

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<String>>>);

impl ErrorReporter for Kept {
    fn report(&self, report: &ErrorReport) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{} {}", report.app, report.message));
    }

    fn flush(&self, _limit: Duration) {
        self.0.lock().unwrap().push("flushed".to_owned());
    }
}

/// Blocks until the test lets it go.
struct Blocked(Mutex<mpsc::Receiver<()>>);

impl ErrorReporter for Blocked {
    fn report(&self, _report: &ErrorReport) {
        let _gone = self.0.lock().unwrap().recv();
    }
}

struct Broken;

impl ErrorReporter for Broken {
    fn report(&self, _report: &ErrorReport) {
        panic!("broken");
    }
}

#[tokio::test]
async fn a_panic_stops_nothing_and_the_end_waits_for_all() {
    let kept = Kept::default();
    let reports = Reports::new("app", vec![Box::new(Broken), Box::new(kept.clone())]).unwrap();
    reports.send(ErrorReport::new(&anyhow!("one")));
    reports.end(Some(&anyhow!("two"))).await;
    assert_eq!(*kept.0.lock().unwrap(), ["app one", "app two", "flushed"]);
}

#[tokio::test]
async fn a_reporter_that_blocks_is_not_waited_for_and_too_many_reports_are_dropped() {
    let (go, gate) = mpsc::channel();
    let kept = Kept::default();
    let reports = Reports::new("app", vec![Box::new(Blocked(Mutex::new(gate))), Box::new(kept.clone())]).unwrap();
    let start = Instant::now();
    for number in 0..3000 {
        reports.send(ErrorReport::new(&anyhow!("{number}")));
    }
    // It cannot end: two seconds are all that it gets.
    reports.end(None).await;
    let took = start.elapsed();
    assert!(took >= queue::END && took < queue::END * 10, "{took:?}");
    drop(go);
    reports.end(None).await;
    let kept = kept.0.lock().unwrap();
    assert!(
        kept.len() < 1100 && kept[0] == "app 0" && kept.contains(&"flushed".to_owned()),
        "{}",
        kept.len()
    );
}

#[test]
fn a_report_says_what_the_condition_says() {
    let mut operation = Operation::new("web", Verb::Apply);
    operation.controller = "webapps";
    operation.namespace = Some("shop");
    operation.name = "x";
    let report = ErrorReport::of(
        &operation,
        &anyhow!("root").reason("Quota").context("outer").permanent(),
    );
    assert_eq!(
        (report.reason.as_str(), report.message.as_str()),
        ("Quota", "outer: root")
    );
    assert_eq!(
        (report.causes.as_slice(), report.permanent),
        (["outer".to_owned(), "root".to_owned()].as_slice(), true)
    );
    assert_eq!(report.object().as_deref(), Some("shop/x"));
}
