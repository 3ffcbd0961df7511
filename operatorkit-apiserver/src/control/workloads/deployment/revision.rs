//! The revisions of a Deployment: annotations that count them, and the `ReplicaSet` of a new one.

use serde_json::{Value, json};

use super::Controller;
use super::sets::{DESIRED, HASH, MAXIMUM, REVISION, replicas};
use crate::control::workloads::action::Verb;
use crate::control::workloads::labels::annotation;
use crate::control::workloads::owner::{controller_reference, is_deleted, name};
use crate::control::workloads::template::set_metadata;
use crate::control::workloads::{condition, hash};
use crate::read::{integer, text};

/// The revisions that a `ReplicaSet` has been before, when it was rolled back to.
const HISTORY: &str = "deployment.kubernetes.io/revision-history";
const LONGEST_HISTORY: usize = 2000;
/// Annotations of the Deployment that its `ReplicaSets` do not take over.
const KEPT: [&str; 6] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "deprecated.deployment.rollback.to",
    REVISION,
    HISTORY,
    DESIRED,
    MAXIMUM,
];

impl Controller<'_> {
    /// Brings the annotations of the new `ReplicaSet`, then those of the Deployment up to date. Whether something
    /// was to be done.
    pub(super) fn sync_revision(&mut self) -> bool {
        let Some(new) = self.sets.new else { return false };
        let mut annotated = new.clone();
        self.annotate(&mut annotated);
        match integer(self.deployment, "/spec/minReadySeconds") {
            0 => drop(
                annotated["spec"]
                    .as_object_mut()
                    .and_then(|spec| spec.remove("minReadySeconds")),
            ),
            seconds => annotated["spec"]["minReadySeconds"] = json!(seconds),
        }
        let is_same_wait = integer(new, "/spec/minReadySeconds") == integer(&annotated, "/spec/minReadySeconds");
        if annotated["metadata"] != new["metadata"] || !is_same_wait {
            self.plan.push(Verb::Update(annotated));
            return true;
        }
        let mut deployment = self.deployment.clone();
        if let Some(revision) = annotation(new, REVISION) {
            set_metadata(&mut deployment, "annotations", REVISION, revision);
        }
        if self.progress_deadline().is_some() && condition::find(&deployment["status"], "Progressing").is_none() {
            let message = format!("Found new replica set {:?}", name(new));
            let found = self.condition("Progressing", "True", "FoundNewReplicaSet", &message);
            condition::set(&mut deployment["status"], found);
        }
        let is_changed = deployment != *self.deployment;
        if is_changed {
            self.plan.push(Verb::UpdateStatus(deployment));
        }
        is_changed
    }

    /// Creates the `ReplicaSet` of the Deployment's template.
    pub(super) fn create_set(&mut self, failure: Option<&str>) {
        let collisions = self
            .deployment
            .pointer("/status/collisionCount")
            .and_then(Value::as_i64);
        let mut template = self.deployment["spec"]["template"].clone();
        let hash = hash::of_template(&template, collisions);
        set_metadata(&mut template, "labels", HASH, &hash);
        let mut selector = self.deployment["spec"]["selector"].clone();
        selector["matchLabels"][HASH] = json!(hash);
        // A name is at most 253 letters long.
        let prefix: String = name(self.deployment).chars().take(252 - hash.len()).collect();
        let set_name = format!("{prefix}-{hash}");
        if self.taken.contains(&set_name.as_str()) {
            // Another has the name: the next hash counts the collisions, too.
            let mut collided = self.deployment.clone();
            collided["status"]["collisionCount"] = json!(collisions.unwrap_or_default() + 1);
            self.plan.push(Verb::UpdateStatus(collided));
            return;
        }
        let mut set = json!({
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": set_name,
                "namespace": text(self.deployment, "/metadata/namespace"),
                "labels": template["metadata"]["labels"],
                "ownerReferences": [controller_reference(self.deployment)],
            },
            "spec": { "replicas": self.new_replicas(0), "selector": selector, "template": template },
        });
        if integer(self.deployment, "/spec/minReadySeconds") > 0 {
            set["spec"]["minReadySeconds"] = self.deployment["spec"]["minReadySeconds"].clone();
        }
        self.annotate(&mut set);
        self.annotate_size(&mut set);
        self.push_new(set, failure);
    }

    fn push_new(&mut self, set: Value, failure: Option<&str>) {
        let (set_name, size) = (name(&set).to_owned(), replicas(&set));
        let mut deployment = self.deployment.clone();
        if let Some(revision) = annotation(&set, REVISION) {
            set_metadata(&mut deployment, "annotations", REVISION, revision);
        }
        let progressing = match failure {
            None => {
                let message = format!("Created new replica set {set_name:?}");
                self.condition("Progressing", "True", "NewReplicaSetCreated", &message)
            }
            Some(failure) => {
                let message = format!("Failed to create new replica set {set_name:?}: {failure}");
                self.condition("Progressing", "False", "ReplicaSetCreateError", &message)
            }
        };
        let create = Verb::Create(set);
        if size > 0 {
            let told = format!("Scaled up replica set {set_name} from 0 to {size}");
            let told = self.tell("ScalingReplicaSet", told);
            self.plan.push_told(create, told);
        } else {
            self.plan.push(create);
        }
        if self.progress_deadline().is_some() {
            condition::set(&mut deployment["status"], progressing);
        }
        if deployment != *self.deployment {
            self.plan.push(Verb::UpdateStatus(deployment));
        }
    }

    /// The Deployment's annotations, and a revision above all others.
    fn annotate(&self, set: &mut Value) {
        if let Some(annotations) = self
            .deployment
            .pointer("/metadata/annotations")
            .and_then(Value::as_object)
        {
            for (key, value) in annotations.iter().filter(|(key, _)| !KEPT.contains(&key.as_str())) {
                set_metadata(set, "annotations", key, value.as_str().unwrap_or_default());
            }
        }
        let newest = self
            .sets
            .old
            .iter()
            .map(|set| revision(set))
            .max()
            .unwrap_or_default()
            .max(0)
            + 1;
        let before = revision(set);
        if before >= newest {
            return;
        }
        if let Some(old) = annotation(set, REVISION).map(str::to_owned) {
            let history = history(annotation(set, HISTORY).unwrap_or_default(), &old);
            set_metadata(set, "annotations", HISTORY, &history);
        }
        set_metadata(set, "annotations", REVISION, &newest.to_string());
    }

    /// The sizes by which a later change of the Deployment's size is seen.
    pub(super) fn annotate_size(&self, set: &mut Value) {
        let (desired, maximum) = (self.replicas(), self.replicas() + self.limits().0);
        set_metadata(set, "annotations", DESIRED, &desired.to_string());
        set_metadata(set, "annotations", MAXIMUM, &maximum.to_string());
    }

    /// Deletes the oldest `ReplicaSets` without Pods that are more than `revisionHistoryLimit`.
    pub(super) fn clean_up(&mut self) {
        let limit = self
            .deployment
            .pointer("/spec/revisionHistoryLimit")
            .and_then(Value::as_i64);
        let Some(limit) = limit.filter(|limit| *limit != i64::from(i32::MAX)) else {
            return;
        };
        let mut old: Vec<&Value> = self.sets.old.iter().copied().filter(|set| !is_deleted(set)).collect();
        old.sort_by_key(|set| revision(set));
        let surplus = old.len().saturating_sub(usize::try_from(limit).unwrap_or_default());
        for set in old.into_iter().take(surplus) {
            let is_seen = integer(set, "/metadata/generation") <= integer(set, "/status/observedGeneration");
            if integer(set, "/status/replicas") == 0 && replicas(set) == 0 && is_seen {
                self.plan.delete(set, None);
            }
        }
    }
}

fn revision(set: &Value) -> i64 {
    annotation(set, REVISION)
        .and_then(|revision| revision.parse().ok())
        .unwrap_or_default()
}

/// The revisions before, with one more; the oldest are left out of what would be too long.
fn history(history: &str, old: &str) -> String {
    let mut revisions: Vec<&str> = history.split(',').filter(|revision| !revision.is_empty()).collect();
    revisions.push(old);
    while revisions.len() > 1 && revisions.iter().map(|revision| revision.len() + 1).sum::<usize>() > LONGEST_HISTORY {
        revisions.remove(0);
    }
    revisions.join(",")
}
