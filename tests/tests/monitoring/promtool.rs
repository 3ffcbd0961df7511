//! `promtool`, of Debian's package `prometheus`: the judge of rules, of their tests, and of an exposition.

use std::{env, fs, io::ErrorKind, path::Path, process::Command, thread};

use operatorkit::serde_json::{Value, json};

use crate::{names, scraped};

const MONITORING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../monitoring");

/// Runs promtool in a folder, and expects success. Where there is none: a line that says so, or a failure where the tools are required.
fn promtool(folder: &Path, args: &[&str]) {
    match Command::new("promtool").args(args).current_dir(folder).output() {
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(output.status.success(), "promtool {args:?}: {said}");
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let required = env::var_os("OPERATORKIT_REQUIRE_CONTROL_PLANE").is_some_and(|value| value == "1");
            let test = thread::current().name().unwrap_or("a test").to_owned();
            assert!(
                !required,
                "{test} needs promtool, of Debian's package prometheus, and there is none"
            );
            eprintln!("skipped {test}: there is no promtool (Debian's package prometheus)");
        }
        Err(error) => panic!("promtool does not run: {error}"),
    }
}

#[test]
fn the_rules_are_valid() {
    promtool(Path::new(MONITORING), &["check", "rules", "alerts.yaml"]);
}

#[test]
fn the_rules_fire_when_they_should_and_only_then() {
    promtool(Path::new(MONITORING), &["test", "rules", "alerts.test.yaml"]);
}

#[test]
fn every_rule_is_seen_to_fire_in_a_test() {
    let alerts = names::yaml("alerts.yaml");
    let tests = names::yaml("alerts.test.yaml");
    let tests = tests["tests"].as_array().expect("tests");
    let fires = |name: &Value| {
        let cases = tests
            .iter()
            .flat_map(|test| test["alert_rule_test"].as_array().expect("cases"));
        cases
            .into_iter()
            .any(|case| case["alertname"] == *name && case["exp_alerts"].is_array())
    };
    let rules = alerts["groups"][0]["rules"].as_array().expect("rules");
    let unseen: Vec<_> = rules
        .iter()
        .map(|rule| &rule["alert"])
        .filter(|name| !fires(name))
        .collect();
    assert!(unseen.is_empty() && !rules.is_empty(), "{unseen:?}");
}

/// As recording rules, which promtool parses.
#[test]
fn the_queries_of_the_dashboard_are_promql() {
    let rules: Vec<_> = names::dashboard_queries()
        .into_iter()
        .enumerate()
        .map(|(index, query)| {
            let expr = query.replace("$__rate_interval", "5m").replace("$controller", ".*");
            json!({ "record": format!("panel:{index}"), "expr": expr })
        })
        .collect();
    assert!(rules.len() > 20, "{rules:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let groups = json!({ "groups": [{ "name": "dashboard", "rules": rules }] });
    fs::write(folder.path().join("queries.yaml"), groups.to_string()).expect("written");
    promtool(folder.path(), &["check", "rules", "queries.yaml"]);
}

/// With Prometheus' own parser of OpenMetrics: its backfill reads a file of samples, which need a time there.
#[tokio::test]
async fn prometheus_reads_what_is_scraped() {
    let text = scraped::open_metrics().await;
    let timed = text.lines().map(|line| {
        let time = if line.starts_with('#') { "" } else { " 1700000000" };
        format!("{line}{time}\n")
    });
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("metrics.txt"), timed.collect::<String>()).expect("written");
    promtool(
        folder.path(),
        &["tsdb", "create-blocks-from", "openmetrics", "metrics.txt", "data"],
    );
}
