//! What makes a Pod the one with its ordinal: name, labels, host name, volumes.

use serde_json::{Value, json};

use crate::control::workloads::labels::label;
use crate::control::workloads::owner::name;
use crate::control::workloads::template;
use crate::read::{integer, items, text};

const REVISION: &str = "controller-revision-hash";
const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
const POD_INDEX: &str = "apps.kubernetes.io/pod-index";

/// Whether the Pod has the name of a Pod of the set.
pub(super) fn is_member(set: &Value, pod: &Value) -> bool {
    name(pod)
        .rsplit_once('-')
        .is_some_and(|(parent, _)| parent == name(set))
        && ordinal(pod).is_some()
}

/// The number in the Pod's name.
pub(super) fn ordinal(pod: &Value) -> Option<i64> {
    let (_, ordinal) = name(pod).rsplit_once('-')?;
    let is_number = !ordinal.is_empty() && ordinal.bytes().all(|byte| byte.is_ascii_digit());
    ordinal.parse::<i32>().ok().filter(|_| is_number).map(i64::from)
}

/// The first of the set's ordinals.
pub(super) fn start_ordinal(set: &Value) -> i64 {
    integer(set, "/spec/ordinals/start")
}

/// The name of the revision that the Pod was made of.
pub(super) fn pod_revision(pod: &Value) -> &str {
    label(pod, REVISION).unwrap_or_default()
}

/// The Pod with an ordinal, of the template of a revision.
pub(super) fn pod(set: &Value, of_template: &Value, revision: &str, ordinal: i64) -> Value {
    let mut pod = template::pod(of_template, set);
    let pod_name = format!("{}-{ordinal}", name(set));
    pod["metadata"]["name"] = json!(pod_name);
    for (key, value) in [
        (POD_NAME, pod_name.as_str()),
        (POD_INDEX, &ordinal.to_string()),
        (REVISION, revision),
    ] {
        template::set_metadata(&mut pod, "labels", key, value);
    }
    pod["spec"]["hostname"] = json!(pod_name);
    let service = text(set, "/spec/serviceName");
    if !service.is_empty() {
        pod["spec"]["subdomain"] = json!(service);
    }
    let volumes = volumes(set, &pod, ordinal);
    if !volumes.is_empty() {
        pod["spec"]["volumes"] = Value::Array(volumes);
    }
    pod
}

/// The volumes of the claims, and those of the template that have other names.
fn volumes(set: &Value, pod: &Value, ordinal: i64) -> Vec<Value> {
    let claims = items(set, "/spec/volumeClaimTemplates");
    let volume = |claim: &Value| {
        let source = json!({ "claimName": claim_name(set, claim, ordinal) });
        json!({ "name": name(claim), "persistentVolumeClaim": source })
    };
    let is_own = |volume: &&Value| claims.iter().all(|claim| name(claim) != text(volume, "/name"));
    let own = items(pod, "/spec/volumes").iter().filter(is_own).cloned();
    claims.iter().map(volume).chain(own).collect()
}

/// The name of the claim that a template makes for the Pod with an ordinal.
pub(super) fn claim_name(set: &Value, claim: &Value, ordinal: i64) -> String {
    format!("{}-{}-{ordinal}", name(claim), name(set))
}

/// The name of the Pod, if the label that carries it does not.
pub(super) fn missing_label(pod: &Value) -> Option<Value> {
    let is_there = label(pod, POD_NAME) == Some(name(pod));
    (!is_there).then(|| json!({ "metadata": { "labels": { POD_NAME: name(pod) } } }))
}
