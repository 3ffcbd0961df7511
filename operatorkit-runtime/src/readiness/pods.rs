//! Pod and Job.

use serde_json::Value;

use super::{
    Readiness,
    conditions::{find, find_true, text},
};

pub(super) fn pod(object: &Value) -> Readiness {
    let not_ready = || Readiness::pending("PodNotReady", "the Pod is not ready");
    match text(&object["status"]["phase"]) {
        "Succeeded" => Readiness::Ready,
        "Failed" => Readiness::failed("PodFailed", "the Pod has ended in failure"),
        "Running" if find_true(object, "Ready").is_some() => Readiness::Ready,
        "Running" => crash_looping(object).unwrap_or_else(not_ready),
        _ => match find(object, "PodScheduled") {
            Some(scheduled) if scheduled.status == "False" && scheduled.reason == "Unschedulable" => {
                Readiness::pending("Unschedulable", "no node can take the Pod")
            }
            _ => not_ready(),
        },
    }
}

pub(super) fn job(object: &Value) -> Readiness {
    if find_true(object, "Complete").is_some() {
        return Readiness::Ready;
    }
    if let Some(failed) = find_true(object, "Failed") {
        return Readiness::failed("JobFailed", format!("the Job has failed: {}", failed.reason));
    }
    let suspended = object["spec"]["suspend"] == true && find_true(object, "Suspended").is_some();
    let started = !text(&object["status"]["startTime"]).is_empty();
    Readiness::ready_if(suspended || started, || {
        Readiness::pending("JobNotStarted", "the Job has not started")
    })
}

fn crash_looping(pod: &Value) -> Option<Readiness> {
    let containers = pod["status"]["containerStatuses"].as_array()?;
    let looping = containers
        .iter()
        .filter(|container| container["state"]["waiting"]["reason"] == "CrashLoopBackOff");
    let names: Vec<_> = looping.map(|container| text(&container["name"])).collect();
    let failed = || {
        Readiness::failed(
            "ContainerCrashLooping",
            format!("containers of the Pod crash again and again: {}", names.join(", ")),
        )
    };
    (!names.is_empty()).then(failed)
}
