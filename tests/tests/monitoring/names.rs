//! The metrics that rules and dashboard name exist, with the labels that they name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use operatorkit::serde_json::{self, Value};
use regex::Regex;

use crate::scraped;

/// A file of `monitoring/`.
fn file(name: &str) -> String {
    let path = format!("{}/../monitoring/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|err| panic!("{path}: {err}"))
}

pub(crate) fn yaml(name: &str) -> Value {
    serde_saphyr::from_str(&file(name)).expect("YAML")
}

fn dashboard() -> Value {
    serde_json::from_str(&file("dashboard.json")).expect("JSON")
}

/// The query of each target of each panel.
pub(crate) fn dashboard_queries() -> Vec<String> {
    let dashboard = dashboard();
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    targets
        .map(|target| target["expr"].as_str().expect("a query").to_owned())
        .collect()
}

fn rules() -> Vec<String> {
    let alerts = yaml("alerts.yaml");
    let rules = alerts["groups"][0]["rules"].as_array().expect("rules");
    rules
        .iter()
        .map(|rule| rule["expr"].as_str().expect("an expression").to_owned())
        .collect()
}

/// The names of each sample, and its labels.
fn scraped_names(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let label = Regex::new(r#"(\w+)="(?:[^"\\]|\\.)*""#).expect("a pattern");
    let mut names: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap_or_default();
        let labels = label.captures_iter(line).map(|found| found[1].to_owned());
        names.entry(name.to_owned()).or_default().extend(labels);
    }
    names
}

/// Each metric of ours that a query names, with the labels in its braces.
fn named(query: &str) -> Vec<(String, BTreeSet<String>)> {
    let metric = Regex::new(r"(operatorkit_\w+)(?:\{([^}]*)\})?").expect("a pattern");
    let label = Regex::new(r#"(\w+)\s*(?:=~|!~|!=|=)\s*""#).expect("a pattern");
    let found = metric.captures_iter(query).map(|found| {
        let labels = found.get(2).map_or("", |braces| braces.as_str());
        let labels = label.captures_iter(labels).map(|found| found[1].to_owned());
        (found[1].to_owned(), labels.collect())
    });
    found.collect()
}

#[tokio::test]
async fn rules_and_dashboard_use_only_what_there_is() {
    let there = scraped_names(&scraped::open_metrics().await);
    let mut used = 0;
    for query in rules().into_iter().chain(dashboard_queries()) {
        let names = named(&query);
        assert!(!names.is_empty(), "no metric of ours: {query}");
        for (name, labels) in names {
            used += 1;
            let known = there.get(&name).unwrap_or_else(|| panic!("no metric {name}: {query}"));
            assert!(labels.is_subset(known), "{name} has not all of {labels:?}: {query}");
        }
    }
    assert!(used > 40, "{used}");
}

#[test]
fn a_dashboards_panels_have_places_and_numbers_of_their_own() {
    let dashboard = dashboard();
    assert!(
        dashboard["title"].is_string() && dashboard["schemaVersion"].is_u64(),
        "{dashboard}"
    );
    let panels = dashboard["panels"].as_array().expect("panels");
    let ids: BTreeSet<_> = panels
        .iter()
        .map(|panel| panel["id"].as_u64().expect("an id"))
        .collect();
    assert_eq!(ids.len(), panels.len());
    let place = |panel: &Value, side: &str| panel["gridPos"][side].as_u64().expect("a number");
    for (index, one) in panels.iter().enumerate() {
        assert!(place(one, "x") + place(one, "w") <= 24, "{one}");
        assert!(one["title"].as_str().is_some_and(|title| !title.is_empty()), "{one}");
        for other in &panels[index + 1..] {
            let apart = |side: &str, length: &str| {
                place(one, side) + place(one, length) <= place(other, side)
                    || place(other, side) + place(other, length) <= place(one, side)
            };
            assert!(apart("x", "w") || apart("y", "h"), "{one} and {other}");
        }
    }
}
