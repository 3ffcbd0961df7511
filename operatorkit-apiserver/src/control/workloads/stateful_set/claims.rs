//! The volume claims of the Pods: made before them, and owned by what they shall go with.

use serde_json::{Value, json};

use super::identity::{claim_name, ordinal, start_ordinal};
use super::{COMPONENT, Controller};
use crate::control::workloads::action::{Event, Reference, Verb};
use crate::control::workloads::owner::{controller_reference, name, uid};
use crate::control::workloads::template::set_metadata;
use crate::read::{items, text};

impl Controller<'_> {
    /// Makes the claims of the Pod with an ordinal that are not there.
    pub(super) fn make_claims(&mut self, ordinal: i64) {
        for template in items(self.set, "/spec/volumeClaimTemplates") {
            let claim_name = claim_name(self.set, template, ordinal);
            if self.claim(&claim_name).is_some() {
                continue;
            }
            let set = name(self.set);
            let mut claim = template.clone();
            if let Some(claim) = claim.as_object_mut() {
                claim.remove("status");
            }
            claim["apiVersion"] = json!("v1");
            claim["kind"] = json!("PersistentVolumeClaim");
            claim["metadata"]["name"] = json!(claim_name);
            claim["metadata"]["namespace"] = json!(text(self.set, "/metadata/namespace"));
            let labels = self
                .set
                .pointer("/spec/selector/matchLabels")
                .and_then(Value::as_object);
            for (key, value) in labels.into_iter().flatten() {
                set_metadata(&mut claim, "labels", key, value.as_str().unwrap_or_default());
            }
            let message = format!("Create Claim {claim_name} Pod {set}-{ordinal} in StatefulSet {set} success");
            let told = Event::normal(self.set, COMPONENT, "SuccessfulCreate", message);
            self.plan.push_told(Verb::Create(claim), told);
        }
    }

    /// Whether a claim still belongs to an earlier Pod of this name: it goes with that, and is waited for.
    pub(super) fn is_claim_stale(&self, ordinal: i64) -> bool {
        let pod_name = format!("{}-{ordinal}", name(self.set));
        self.goes_when("whenScaled")
            && items(self.set, "/spec/volumeClaimTemplates").iter().any(|template| {
                let claim = self.claim(&claim_name(self.set, template, ordinal));
                claim.is_some_and(|claim| owners(claim).iter().any(|owner| is_pod(owner, &pod_name)))
            })
    }

    /// Gives the claims of a Pod the owners that the retention policy asks for.
    pub(super) fn own_claims(&mut self, pod: &Value) {
        let Some(ordinal) = ordinal(pod) else { return };
        for template in items(self.set, "/spec/volumeClaimTemplates") {
            let Some(claim) = self.claim(&claim_name(self.set, template, ordinal)) else {
                continue;
            };
            let Some(wanted) = self.wanted_owners(claim, pod, ordinal) else {
                continue;
            };
            if wanted != owners(claim) {
                let metadata = json!({
                    "uid": uid(claim),
                    "resourceVersion": text(claim, "/metadata/resourceVersion"),
                    "ownerReferences": wanted,
                });
                let patch = json!({ "metadata": metadata });
                self.plan.push(Verb::Patch {
                    object: Reference::to(claim),
                    subresource: "",
                    patch,
                });
            }
        }
    }

    /// The owners that a claim should have. `None` if it is another's, or that of an earlier set or Pod.
    fn wanted_owners(&self, claim: &Value, pod: &Value, ordinal: i64) -> Option<Vec<Value>> {
        let ours = [uid(self.set), uid(pod)];
        let is_ours = |owner: &&Value| ours.contains(&text(owner, "/uid"));
        let is_stale = |owner: &Value| {
            let is_set = text(owner, "/kind") == "StatefulSet" && text(owner, "/name") == name(self.set);
            (is_set || is_pod(owner, name(pod))) && !is_ours(&owner)
        };
        let others: Vec<Value> = owners(claim).iter().filter(|owner| !is_ours(owner)).cloned().collect();
        let is_controlled = others.iter().any(|owner| owner["controller"] == json!(true));
        let keeps = !self.goes_when("whenScaled") && !self.goes_when("whenDeleted");
        if owners(claim).iter().any(is_stale) || (is_controlled && !keeps && others.len() == owners(claim).len()) {
            return None;
        }
        let mut wanted = others;
        if is_controlled && !keeps {
            return Some(wanted);
        }
        let end = start_ordinal(self.set) + self.replicas();
        let is_scaled_away = !(start_ordinal(self.set)..end).contains(&ordinal);
        if self.goes_when("whenScaled") && is_scaled_away {
            wanted.push(controller_reference(pod));
        } else if self.goes_when("whenDeleted") {
            wanted.push(controller_reference(self.set));
        }
        Some(wanted)
    }

    fn goes_when(&self, event: &str) -> bool {
        text(self.set, &format!("/spec/persistentVolumeClaimRetentionPolicy/{event}")) == "Delete"
    }

    fn claim(&self, claim_name: &str) -> Option<&Value> {
        let namespace = text(self.set, "/metadata/namespace");
        let is_it = |claim: &&&Value| name(claim) == claim_name && text(claim, "/metadata/namespace") == namespace;
        self.claims.iter().find(is_it).copied()
    }
}

fn owners(claim: &Value) -> &[Value] {
    items(claim, "/metadata/ownerReferences")
}

fn is_pod(owner: &Value, pod_name: &str) -> bool {
    text(owner, "/kind") == "Pod" && text(owner, "/name") == pod_name
}
