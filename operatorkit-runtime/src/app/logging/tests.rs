//! Lines as they are written, and those that are not.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tracing::{debug, debug_span, error, info, info_span, subscriber::with_default, trace, warn};

use super::*;

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn logged(format: LogFormat, directives: &str, log: impl FnOnce()) -> String {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = subscriber(format, filter(directives).unwrap(), move || writer.clone(), false);
    with_default(subscriber, log);
    written.text()
}

#[test]
fn bodies_are_never_logged_whatever_the_filter_says() {
    for directives in [
        "info",
        "trace",
        "kube_client::client=trace,kube_runtime=trace",
        "debug,kube_client=warn",
    ] {
        let text = logged(LogFormat::Text, directives, || {
            warn!(target: "kube_client::client", "{{\"data\":{{\"password\":\"s3cret\"}}}}");
            trace!(target: "kube_client::client", "s3cret");
            debug!(target: "kube_runtime::watcher", "s3cret");
            error!(target: "app", "something else");
        });
        assert!(!text.contains("s3cret"), "{directives}: {text}");
    }
}

#[tokio::test]
async fn the_body_of_an_answer_that_kube_cannot_decode_is_not_logged() {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = subscriber(LogFormat::Text, filter("trace").unwrap(), move || writer.clone(), false);
    let guard = tracing::subscriber::set_default(subscriber);
    let service = tower::service_fn(async |_: http::Request<kube::client::Body>| {
        let body = br#"{"kind":"Secret","data":"s3cret"}"#.to_vec();
        Ok::<_, tower::BoxError>(http::Response::new(kube::client::Body::from(body)))
    });
    let client = kube::Client::new(service, "default");
    let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> = kube::Api::default_namespaced(client);
    assert!(matches!(secrets.get("x").await, Err(kube::Error::SerdeError(_))));
    info!("after");
    drop(guard);
    assert!(written.text().contains("after"));
    assert!(!written.text().contains("s3cret"), "{}", written.text());
}

#[test]
fn the_level_is_info_unless_said_otherwise() {
    let log = || {
        info!(target: "app", "informed");
        debug!(target: "app", "debugged");
        error!(target: "kube_client::client::builder", "failed with error");
    };
    let info = logged(LogFormat::Text, "info", log);
    assert!(
        info.contains("informed") && !info.contains("debugged") && !info.contains("failed with"),
        "{info}"
    );
    let debug = logged(
        LogFormat::Text,
        "info,app=debug,kube_client::client::builder=error",
        log,
    );
    assert!(debug.contains("debugged") && debug.contains("failed with"), "{debug}");
}

#[test]
fn a_wrong_filter_is_refused() {
    assert!(filter("app=loud").is_err());
}

#[test]
fn json_lines_are_flat() {
    let text = logged(LogFormat::Json, "debug", || {
        let pass = info_span!(
            "pass",
            controller = "webapps",
            object = "x",
            "loop" = "Resync",
            version = tracing::field::Empty
        );
        let _pass = pass.enter();
        pass.record("version", "17");
        let _resource = debug_span!("resource", resource = "web", operation = "apply").entered();
        info!(event = "update", number = 3, "made \"it\"\nin two lines");
    });
    assert_eq!(text.lines().count(), 1, "{text}");
    let line: Value = serde_json::from_str(&text).unwrap();
    let wanted = [
        ("controller", "webapps"),
        ("object", "x"),
        ("loop", "Resync"),
        ("version", "17"),
        ("resource", "web"),
        ("operation", "apply"),
        ("event", "update"),
        ("level", "info"),
        ("message", "made \"it\"\nin two lines"),
    ];
    for (key, value) in wanted {
        assert_eq!(line[key], value, "{key} in {text}");
    }
    assert_eq!(line["number"], 3);
    assert!(line["time"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok());
    assert!(line["function"].as_str().unwrap().contains("logging::tests:"), "{text}");
}

#[test]
fn text_lines_name_the_spans() {
    let text = logged(LogFormat::Text, "info", || {
        let _pass = info_span!("pass", controller = "webapps", object = "x").entered();
        info!("made it");
    });
    assert!(
        text.contains(r#"pass{controller="webapps" object="x"}"#) && text.contains("made it"),
        "{text}"
    );
}
