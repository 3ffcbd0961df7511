//! What the `RuntimeClass` of a new Pod asks for (the admission plugin `RuntimeClass`).

use serde_json::{Value, json};

use super::{call::Call, strategy};
use crate::{failure::Failure, store::Key, validation::at::same};

/// Sets what a Pod has from its class: the overhead, and where it may run.
pub(crate) fn set(call: &Call, pod: &mut Value) -> Result<(), Failure> {
    let Some(class) = find(call, pod)? else {
        return Ok(());
    };
    if let Some(overhead) = overhead(&class) {
        let given = &pod["spec"]["overhead"];
        if !same(given, &Value::Null) && !same(given, &overhead) {
            return Err(differs(call, pod));
        }
        pod["spec"]["overhead"] = overhead;
    }
    if class["scheduling"].is_object() {
        select_nodes(call, pod, &class["scheduling"]["nodeSelector"])?;
        tolerate(pod, &class["scheduling"]["tolerations"]);
    }
    Ok(())
}

/// Whether the overhead of a Pod is that of its class.
pub(crate) fn check(call: &Call, pod: &Value) -> Result<(), Failure> {
    let class = find(call, pod)?;
    let given = &pod["spec"]["overhead"];
    match class.as_ref().and_then(overhead) {
        Some(overhead) if !same(given, &overhead) => Err(differs(call, pod)),
        None if !given.is_null() => {
            let why = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
            Err(refuse(call, pod, why))
        }
        _ => Ok(()),
    }
}

/// The class that a Pod names.
fn find(call: &Call, pod: &Value) -> Result<Option<Value>, Failure> {
    let Some(name) = pod["spec"]["runtimeClassName"].as_str() else {
        return Ok(None);
    };
    let catalog = call.core.registry.catalog();
    let class = catalog.preferred("node.k8s.io", "runtimeclasses").and_then(|served| {
        let stored = call.core.store.get(&served.table, &Key::new("", name))?;
        Some(strategy::show(served, &stored))
    });
    match class {
        None => Err(refuse(
            call,
            pod,
            &format!("pod rejected: RuntimeClass {name:?} not found"),
        )),
        class => Ok(class),
    }
}

fn overhead(class: &Value) -> Option<Value> {
    let overhead = class["overhead"].as_object()?;
    Some(overhead.get("podFixed").cloned().unwrap_or_default())
}

fn select_nodes(call: &Call, pod: &mut Value, wanted: &Value) -> Result<(), Failure> {
    for (key, value) in wanted.as_object().into_iter().flatten() {
        let given = pod["spec"]["nodeSelector"].get(key).and_then(Value::as_str);
        let value = value.as_str().unwrap_or_default();
        if let Some(given) = given.filter(|given| *given != value) {
            let why = format!(
                "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {given}"
            );
            return Err(refuse(call, pod, &why));
        }
        pod["spec"]["nodeSelector"][key] = value.into();
    }
    Ok(())
}

/// Adds tolerations; of two of which one tolerates all that the other does, only that one is kept (`pkg/util/tolerations`).
fn tolerate(pod: &mut Value, wanted: &Value) {
    let items = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let all = [items(&pod["spec"]["tolerations"]), items(wanted)].concat();
    let mut merged: Vec<Value> = Vec::new();
    for (at, toleration) in all.iter().enumerate() {
        let covered = merged.iter().any(|it| same(it, toleration) || covers(it, toleration))
            || all[at + 1..]
                .iter()
                .any(|it| !same(it, toleration) && covers(it, toleration));
        if !covered {
            merged.push(toleration.clone());
        }
    }
    if !merged.is_empty() {
        pod["spec"]["tolerations"] = json!(merged);
    }
}

fn covers(wide: &Value, narrow: &Value) -> bool {
    let text = |it: &Value, field: &str| it[field].as_str().unwrap_or_default().to_owned();
    let key = text(wide, "key") == text(narrow, "key")
        // Without a key it is all keys.
        || text(wide, "key").is_empty() && text(wide, "operator") == "Exists";
    let effect = text(wide, "effect").is_empty() || text(wide, "effect") == text(narrow, "effect");
    let seconds = |it: &Value| it["tolerationSeconds"].as_i64();
    let lasts = match seconds(wide).filter(|_| text(wide, "effect") == "NoExecute") {
        Some(longest) => seconds(narrow).is_some_and(|it| it <= longest),
        None => true,
    };
    let value = match text(wide, "operator").as_str() {
        "" | "Equal" => text(narrow, "operator") == "Equal" && text(wide, "value") == text(narrow, "value"),
        "Exists" => true,
        _ => false,
    };
    key && effect && lasts && value
}

fn differs(call: &Call, pod: &Value) -> Failure {
    let why = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
    refuse(call, pod, why)
}

fn refuse(call: &Call, pod: &Value, why: &str) -> Failure {
    Failure::forbidden(call.served.target(crate::object::name(pod)), why)
}
