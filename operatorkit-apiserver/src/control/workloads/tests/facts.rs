//! What the real controllers made of an object, edit by edit, with Pods that become what their annotation says.

use serde_json::Value;

use super::{Cluster, normal};
use crate::control::workloads::owner::name;
use crate::read::text;

/// Scenarios of the real control plane: an object, edits of it, and all objects at rest after each.
fn scenarios() -> Vec<Value> {
    serde_json::from_str(include_str!("facts.json")).unwrap()
}

fn play(scenario: &Value, differences: &mut Vec<String>) {
    let mut cluster = Cluster::new();
    for service in scenario["services"].as_array().into_iter().flatten() {
        cluster.create(service.clone());
    }
    let object = &scenario["object"];
    cluster.create(object.clone());
    for (at, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
        if let Some(edit) = step.get("edit") {
            cluster.edit(text(object, "/kind"), name(object), |object| {
                object["spec"] = edit["spec"].clone();
                for (key, value) in edit["annotations"].as_object().unwrap() {
                    object["metadata"]["annotations"][key] = value.clone();
                }
            });
        }
        cluster.settle(200);
        let real = step["objects"].as_array().unwrap();
        let ours: Vec<Value> = cluster.objects.values().cloned().collect();
        let what = format!("{} {at}", scenario["name"]);
        compare(&what, normal::lines(&ours), normal::lines(real), differences);
        let events: Vec<String> = real
            .iter()
            .filter(|object| object["kind"] == "Event")
            .map(|event| format!("{} {}", text(event, "/reason"), text(event, "/message")))
            .collect();
        // A controller that tells much has the rest of it combined.
        if events
            .iter()
            .all(|event| !event.contains("combined from similar events"))
        {
            compare(
                &what,
                normal::events(&cluster.events),
                normal::events(&events),
                differences,
            );
        }
    }
}

fn compare(what: &str, ours: Vec<String>, mut missing: Vec<String>, differences: &mut Vec<String>) {
    for line in ours {
        match missing.iter().position(|real| *real == line) {
            Some(at) => drop(missing.remove(at)),
            None => differences.push(format!("{what}\n  ours: {line}")),
        }
    }
    differences.extend(missing.into_iter().map(|line| format!("{what}\n  real: {line}")));
}

#[test]
fn at_rest_all_is_as_the_real_controllers_leave_it() {
    let mut differences = Vec::new();
    for scenario in scenarios() {
        play(&scenario, &mut differences);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
