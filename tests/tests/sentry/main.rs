//! Errors of a program arrive at Sentry: a local server takes its envelopes.

mod collector;

use std::{process::Command, time::Duration};

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{Api, api::PostParams},
    serde_json::{Value, from_value, json},
};
use operatorkit_testing::{EmbeddedServer, PATIENCE, Process};

use self::collector::Collector;

const PROGRAM: &str = env!("CARGO_BIN_EXE_operatorkit-failing");

/// `run` with these arguments, as an administrator.
fn command(namespace: &str, dsn: &str, arguments: &[&str]) -> Command {
    let cluster = EmbeddedServer::shared();
    let mut command = cluster.command(PROGRAM, &cluster.new_admin());
    command
        .args([
            "run",
            "--metrics-address=0",
            "--health-address=0",
            "--namespace",
            namespace,
        ])
        .args(arguments)
        .env("SENTRY_DSN", dsn);
    command
}

fn spawn(command: &Command) -> Process {
    EmbeddedServer::shared().spawn(command).expect("it starts")
}

/// Makes a ConfigMap that the operator fails for.
async fn fail(namespace: &str, name: &str) -> ConfigMap {
    let api = Api::<ConfigMap>::namespaced(EmbeddedServer::shared().client("driver"), namespace);
    let map = json!({ "metadata": { "name": name, "labels": { "sentry.test/fail": "true" } } });
    let map: ConfigMap = from_value(map).expect("a ConfigMap");
    api.create(&PostParams::default(), &map).await.expect("created")
}

#[tokio::test]
async fn an_error_has_operator_resource_kind_and_object_as_tags() {
    let collector = Collector::start(Duration::ZERO);
    let namespace = EmbeddedServer::shared().namespace("sentry-tags").await;
    let arguments = ["--sentry-tag", "region=eu", "--sentry-environment", "staging"];
    let mut running = spawn(&command(&namespace, &collector.dsn(), &arguments));
    let map = fail(&namespace, "x").await;
    let event = collector.wait_for(1).await.remove(0);

    let expected = json!({
        "app": "failing-operator", "operator": "failing.sentry.test", "kind": "ConfigMap", "object": format!("{namespace}/x"),
        "resource": "broken", "operation": "ensure_created", "reason": "QuotaExceeded", "permanent": "false", "region": "eu",
    });
    assert_eq!(event["tags"], expected);
    assert_eq!(event["extra"]["uid"], json!(map.metadata.uid));
    assert_eq!(
        (&event["level"], &event["environment"]),
        (&Value::Null, &json!("staging")),
        "error is the default level"
    );
    assert_eq!(event["release"], "failing-operator@1.2.3");
    // The outermost is the last, as Sentry wants it.
    let exceptions = event["exception"]["values"].as_array().expect("exceptions");
    let texts: Vec<_> = exceptions
        .iter()
        .map(|it| (it["type"].clone(), it["value"].clone()))
        .collect();
    assert_eq!(
        texts,
        [
            (json!("Cause"), json!("no room")),
            (json!("QuotaExceeded"), json!("cannot place x: no room"))
        ]
    );
    let request = collector.received().remove(0);
    assert!(request.head.starts_with("POST /api/42/envelope/ "), "{}", request.head);
    assert!(request.head.contains("sentry_key=public-key"), "{}", request.head);

    running.terminate();
    let status = running.wait(PATIENCE).await;
    assert_eq!(status.code(), Some(0), "{}", running.log());
    // It was tried again meanwhile, and is the same failure.
    assert_eq!(collector.events().len(), 1);
}

#[tokio::test]
async fn what_is_not_sent_yet_is_sent_before_the_process_ends() {
    // So slow that most events still wait when the process is told to end.
    let collector = Collector::start(Duration::from_millis(100));
    let namespace = EmbeddedServer::shared().namespace("sentry-flush").await;
    let names: Vec<_> = (0..10).map(|number| format!("x{number}")).collect();
    for name in &names {
        let _map = fail(&namespace, name).await;
    }
    let mut running = spawn(&command(&namespace, &collector.dsn(), &["--log-format", "json"]));
    for name in &names {
        running.wait_for_log(&format!("cannot place {name}:"), PATIENCE).await;
    }
    running.terminate();
    let status = running.wait(PATIENCE).await;
    assert_eq!(status.code(), Some(0), "{}", running.log());
    let mut objects: Vec<_> = collector
        .events()
        .iter()
        .map(|event| event["tags"]["object"].clone())
        .collect();
    objects.sort_by_key(ToString::to_string);
    let expected: Vec<_> = names.iter().map(|name| json!(format!("{namespace}/{name}"))).collect();
    assert_eq!(objects, expected);
}

#[tokio::test]
async fn a_program_that_cannot_start_says_so_to_sentry() {
    let collector = Collector::start(Duration::from_millis(200));
    let mut command = command("default", &collector.dsn(), &["--kubeconfig", "/nowhere/kubeconfig"]);
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let events = collector.events();
    assert_eq!(events.len(), 1, "{events:#?}");
    assert_eq!(
        events[0]["tags"],
        json!({ "app": "failing-operator", "reason": "Failed", "permanent": "false" })
    );
    assert!(
        events[0]["exception"].to_string().contains("/nowhere/kubeconfig"),
        "{events:#?}"
    );
}

#[test]
fn a_dsn_that_is_none_and_a_tag_that_is_none_are_refused() {
    for (dsn, tags, says) in [
        (
            "https://secret-key@",
            "",
            "--sentry-dsn or SENTRY_DSN: this is not a DSN",
        ),
        (
            "https://secret-key@localhost/1",
            "two words=x",
            "--sentry-tag or SENTRY_TAGS: `two words`",
        ),
    ] {
        let mut command = command("default", dsn, &[]);
        if !tags.is_empty() {
            command.env("SENTRY_TAGS", tags);
        }
        let output = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(says) && !text.contains("secret-key"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

#[tokio::test]
async fn an_empty_dsn_is_none() {
    let namespace = EmbeddedServer::shared().namespace("sentry-none").await;
    let mut running = spawn(&command(&namespace, "", &[]));
    running.wait_for_log("running", PATIENCE).await;
    running.terminate();
    assert_eq!(running.wait(PATIENCE).await.code(), Some(0), "{}", running.log());
}
