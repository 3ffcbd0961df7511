//! The controllers of Pods: Deployments and what they own, `StatefulSets`, `DaemonSets`, Jobs, `CronJobs`.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::cell::Cell::{
    self, Age, At, Containers, Entries, Images, Integer, Labels, Name, Of, Ratio, Selector, Since, Text, TextOr,
};
use crate::read::{has, integer, is_condition_true, items, text};
use crate::table::duration;
use crate::table::selector;

/// Where the containers of a kind with a Pod template are.
const CONTAINERS: &str = "/spec/template/spec/containers";
const JOB_CONTAINERS: &str = "/spec/jobTemplate/spec/template/spec/containers";

pub(super) fn apps(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "Deployment" => &[
            Name,
            Ratio("/status/readyReplicas", "/spec/replicas"),
            Integer("/status/updatedReplicas"),
            Integer("/status/availableReplicas"),
            Age,
            Containers(CONTAINERS),
            Images(CONTAINERS),
            Of(deployment_selector),
        ],
        "ReplicaSet" => &[
            Name,
            Integer("/spec/replicas"),
            Integer("/status/replicas"),
            Integer("/status/readyReplicas"),
            Age,
            Containers(CONTAINERS),
            Images(CONTAINERS),
            Selector("/spec/selector"),
        ],
        "StatefulSet" => &[
            Name,
            Ratio("/status/readyReplicas", "/spec/replicas"),
            Age,
            Containers(CONTAINERS),
            Images(CONTAINERS),
        ],
        "DaemonSet" => &[
            Name,
            Integer("/status/desiredNumberScheduled"),
            Integer("/status/currentNumberScheduled"),
            Integer("/status/numberReady"),
            Integer("/status/updatedNumberScheduled"),
            Integer("/status/numberAvailable"),
            Labels("/spec/template/spec/nodeSelector"),
            Age,
            Containers(CONTAINERS),
            Images(CONTAINERS),
            Selector("/spec/selector"),
        ],
        "ControllerRevision" => &[Name, Of(controller), Integer("/revision"), Age],
        _ => return None,
    })
}

pub(super) fn batch(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "Job" => &[
            Name,
            Of(job_status),
            Of(completions),
            At(job_duration),
            Age,
            Containers(CONTAINERS),
            Images(CONTAINERS),
            Selector("/spec/selector"),
        ],
        "CronJob" => &[
            Name,
            Text("/spec/schedule"),
            TextOr("/spec/timeZone", "<none>"),
            Of(suspended),
            Entries(&["/status/active"]),
            Since("/status/lastScheduleTime", "<none>"),
            Age,
            Containers(JOB_CONTAINERS),
            Images(JOB_CONTAINERS),
            Selector("/spec/jobTemplate/spec/selector"),
        ],
        _ => return None,
    })
}

/// Deployments show an empty selector as nothing, unlike the others.
fn deployment_selector(object: &Value) -> Value {
    json!(selector::line(object.pointer("/spec/selector")).unwrap_or_else(|| "<invalid>".to_owned()))
}

/// The owner of a revision: `statefulset.apps/db`.
fn controller(object: &Value) -> Value {
    let owners = items(object, "/metadata/ownerReferences");
    let Some(owner) = owners.iter().find(|owner| owner["controller"] == json!(true)) else {
        return json!("<none>");
    };
    let kind = text(owner, "/kind").to_lowercase();
    let name = text(owner, "/name");
    json!(match text(owner, "/apiVersion").split_once('/') {
        Some((group, _)) => format!("{kind}.{}/{name}", group.to_lowercase()),
        None => format!("{kind}/{name}"),
    })
}

fn job_status(object: &Value) -> Value {
    let is = |kind| is_condition_true(object, "/status/conditions", kind);
    json!(if is("Complete") {
        "Complete"
    } else if is("Failed") {
        "Failed"
    } else if has(object, "/metadata/deletionTimestamp") {
        "Terminating"
    } else {
        ["Suspended", "FailureTarget", "SuccessCriteriaMet"]
            .into_iter()
            .find(|kind| is(kind))
            .unwrap_or("Running")
    })
}

/// `2/5`, or `2/1 of 3` for a Job without completions whose Pods work in parallel.
fn completions(object: &Value) -> Value {
    let succeeded = integer(object, "/status/succeeded");
    let parallelism = integer(object, "/spec/parallelism");
    json!(if has(object, "/spec/completions") {
        format!("{succeeded}/{}", integer(object, "/spec/completions"))
    } else if parallelism > 1 {
        format!("{succeeded}/1 of {parallelism}")
    } else {
        format!("{succeeded}/1")
    })
}

fn job_duration(object: &Value, now: Timestamp) -> Value {
    let moment = |pointer| {
        object
            .pointer(pointer)
            .and_then(Value::as_str)
            .and_then(|text| text.parse().ok())
    };
    let Some(start) = moment("/status/startTime") else {
        return json!("");
    };
    json!(duration::between(
        start,
        moment("/status/completionTime").unwrap_or(now)
    ))
}

/// The cell is a string though its column is a boolean.
fn suspended(object: &Value) -> Value {
    json!(match object.pointer("/spec/suspend").and_then(Value::as_bool) {
        Some(true) => "True",
        Some(false) => "False",
        None => "<unset>",
    })
}
