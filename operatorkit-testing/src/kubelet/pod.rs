//! What is to be done for one Pod: pure, so that the rules are read and tested in one place.

use std::sync::atomic::{AtomicU32, Ordering};

use k8s_openapi::{apimachinery::pkg::apis::meta::v1::Time, jiff::Timestamp};
use kube::{ResourceExt as _, api::DynamicObject};
use serde_json::{Value, json};

use super::{HOLD, OUTCOME};

/// The next action for a Pod.
#[derive(Debug, PartialEq)]
pub(super) enum Todo {
    Nothing,
    /// Remove it at once.
    Remove,
    /// Put it on the node.
    Bind,
    /// Merge this into the Pod by its status subresource.
    Status(Value),
}

/// What the next action for `pod` is.
pub(super) fn todo(pod: &DynamicObject) -> Todo {
    let annotation = |key: &str| pod.annotations().get(key).map(String::as_str);
    if pod.metadata.deletion_timestamp.is_some() {
        let seconds = pod.metadata.deletion_grace_period_seconds;
        // At 0 it is only kept by finalizers.
        return if annotation(HOLD).is_some() || seconds == Some(0) {
            Todo::Nothing
        } else {
            Todo::Remove
        };
    }
    if pod.data["spec"]["nodeName"].as_str().is_none_or(str::is_empty) {
        return Todo::Bind;
    }
    let outcome = match annotation(OUTCOME) {
        Some("Pending") => return Todo::Nothing,
        Some("Succeeded") => Outcome::Succeeded,
        Some("Failed") => Outcome::Failed,
        Some("NotReady") => Outcome::NotReady,
        _ => Outcome::Ready,
    };
    if outcome.is_shown(pod) {
        Todo::Nothing
    } else {
        Todo::Status(outcome.status(pod))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Ready,
    NotReady,
    Succeeded,
    Failed,
}

impl Outcome {
    fn phase(self) -> &'static str {
        match self {
            Self::Ready | Self::NotReady => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
        }
    }

    /// A finished Pod stays so; a running one must show the phase, the readiness and the generation.
    fn is_shown(self, pod: &DynamicObject) -> bool {
        let status = &pod.data["status"];
        if matches!(status["phase"].as_str(), Some("Succeeded" | "Failed")) {
            return true;
        }
        let conditions = status["conditions"].as_array().map_or(&[][..], Vec::as_slice);
        let ready = conditions
            .iter()
            .find(|condition| condition["type"] == "Ready")
            .map(|condition| &condition["status"]);
        status["phase"] == self.phase()
            && ready.is_some_and(|status| status == self.ready())
            && status["observedGeneration"] == json!(pod.metadata.generation)
    }

    fn ready(self) -> &'static str {
        if self == Self::Ready { "True" } else { "False" }
    }

    fn status(self, pod: &DynamicObject) -> Value {
        let now = now();
        let started = pod.data["status"]
            .get("startTime")
            .cloned()
            .unwrap_or_else(|| now.clone());
        let conditions = [
            ("PodScheduled", "True"),
            ("Initialized", "True"),
            ("ContainersReady", self.ready()),
            ("Ready", self.ready()),
        ]
        .map(|(kind, status)| json!({"type": kind, "status": status, "lastTransitionTime": now}));
        let containers = pod.data["spec"]["containers"].as_array().map_or(&[][..], Vec::as_slice);
        let containers: Vec<_> = containers
            .iter()
            .map(|container| self.container(container, &started, &now))
            .collect();
        let address = pod.data["status"]
            .get("podIP")
            .and_then(Value::as_str)
            .map_or_else(address, str::to_owned);
        json!({"status": {
            "phase": self.phase(),
            "observedGeneration": pod.metadata.generation,
            "conditions": conditions,
            "containerStatuses": containers,
            "hostIP": "127.0.0.1",
            "hostIPs": [{"ip": "127.0.0.1"}],
            "podIP": address,
            "podIPs": [{"ip": address}],
            "startTime": started,
        }})
    }

    fn container(self, container: &Value, started: &Value, now: &Value) -> Value {
        let ended = |code: u8, reason: &str| json!({"terminated": {"exitCode": code, "reason": reason, "startedAt": started, "finishedAt": now}});
        let state = match self {
            Self::Ready | Self::NotReady => json!({"running": {"startedAt": started}}),
            Self::Succeeded => ended(0, "Completed"),
            Self::Failed => ended(1, "Error"),
        };
        json!({
            "name": container["name"],
            "image": container["image"],
            "imageID": "",
            "ready": self == Self::Ready,
            "started": matches!(self, Self::Ready | Self::NotReady),
            "restartCount": 0,
            "state": state,
        })
    }
}

/// In seconds, as Kubernetes writes it.
fn now() -> Value {
    json!(Time(Timestamp::now()))
}

/// An address that no other Pod of this process has.
fn address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let [_, high, middle, low] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    // 10.0.0.0/16 is for Services.
    format!("10.{}.{middle}.{low}", 128 + high % 128)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod(edit: impl FnOnce(&mut Value)) -> DynamicObject {
        let mut pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "p", "namespace": "n", "generation": 1, "annotations": {}},
            "spec": {"nodeName": "node", "containers": [{"name": "c", "image": "i"}]},
            "status": {"phase": "Pending"},
        });
        edit(&mut pod);
        serde_json::from_value(pod).unwrap()
    }

    fn merged(pod: &DynamicObject) -> DynamicObject {
        let Todo::Status(patch) = todo(pod) else {
            panic!("no status for {pod:?}")
        };
        let mut pod = pod.clone();
        pod.data["status"] = patch["status"].clone();
        pod
    }

    #[test]
    fn an_unbound_pod_is_bound_first() {
        let pod = pod(|pod| pod["spec"]["nodeName"] = Value::Null);
        assert_eq!(todo(&pod), Todo::Bind);
    }

    #[test]
    fn every_outcome_is_quiet_once_it_is_shown() {
        for (outcome, phase) in [
            ("", "Running"),
            ("NotReady", "Running"),
            ("Succeeded", "Succeeded"),
            ("Failed", "Failed"),
        ] {
            let done = merged(&pod(|pod| pod["metadata"]["annotations"][OUTCOME] = outcome.into()));
            assert_eq!(done.data["status"]["phase"], phase);
            assert_eq!(todo(&done), Todo::Nothing, "{outcome}");
        }
        assert_eq!(
            todo(&pod(|pod| pod["metadata"]["annotations"][OUTCOME] = "Pending".into())),
            Todo::Nothing
        );
    }

    #[test]
    fn an_outcome_that_is_taken_away_makes_it_ready() {
        let mut pod = merged(&pod(|pod| pod["metadata"]["annotations"][OUTCOME] = "NotReady".into()));
        let address = pod.data["status"]["podIP"].clone();
        pod.annotations_mut().clear();
        let pod = merged(&pod);
        assert_eq!(pod.data["status"]["containerStatuses"][0]["ready"], true);
        assert_eq!(pod.data["status"]["podIP"], address);
    }

    #[test]
    fn a_terminating_pod_is_removed_unless_it_is_held() {
        let terminating = |seconds: i64| {
            move |pod: &mut Value| {
                pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
                pod["metadata"]["deletionGracePeriodSeconds"] = seconds.into();
            }
        };
        let mut gone = pod(terminating(30));
        assert_eq!(todo(&gone), Todo::Remove);
        assert_eq!(todo(&pod(terminating(0))), Todo::Nothing);
        gone.annotations_mut().insert(HOLD.into(), String::new());
        assert_eq!(todo(&gone), Todo::Nothing);
    }
}
