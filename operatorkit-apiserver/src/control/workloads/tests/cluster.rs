//! Objects in memory, changed by the controllers' actions as a server changes them.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::control::workloads::{
    Action, Plan, Verb, reconcile_daemon_set, reconcile_deployment, reconcile_endpoint_slices, reconcile_endpoints,
    reconcile_job, reconcile_pod, reconcile_replica_set, reconcile_stateful_set,
};
use crate::read::{items, text};

type Key = (String, String);

/// What is due later than this is not waited for, as it was not on the real control plane.
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);

/// All objects of one namespace, and nodes.
pub(super) struct Cluster {
    pub(super) objects: BTreeMap<Key, Value>,
    pub(super) events: Vec<String>,
    pub(super) now: Timestamp,
    /// What was done in the last round.
    last: Vec<Action>,
    counter: u32,
}

impl Cluster {
    pub(super) fn new() -> Self {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let mut cluster = Self {
            objects: BTreeMap::new(),
            events: Vec::new(),
            now,
            last: Vec::new(),
            counter: 0,
        };
        for (name, disk) in [("operatorkit-node", "ssd"), ("second", "none")] {
            let labels = json!({ "kubernetes.io/hostname": name, "disk": disk });
            cluster
                .create(json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": name, "labels": labels } }));
        }
        cluster
    }

    pub(super) fn get(&self, kind: &str, name: &str) -> &Value {
        &self.objects[&(kind.to_owned(), name.to_owned())]
    }

    /// Lets a client change an object.
    pub(super) fn edit(&mut self, kind: &str, name: &str, edit: impl FnOnce(&mut Value)) {
        let mut object = self.get(kind, name).clone();
        edit(&mut object);
        self.update(object);
    }

    /// Looks at all objects until there is nothing to do, and lets time pass if that is waited for. One second passes
    /// with each round. Returns how many rounds there were.
    pub(super) fn settle(&mut self, most: usize) -> usize {
        match (0..most).find(|_| self.step()) {
            Some(rounds) => rounds,
            None => panic!("not at rest after {most} rounds: {:#?}", self.last),
        }
    }

    /// Looks at all objects once, and does what is to be done. Whether there was nothing, and nothing is waited for.
    pub(super) fn step(&mut self) -> bool {
        let mut again: Option<Timestamp> = None;
        self.last.clear();
        for key in self.objects.keys().cloned().collect::<Vec<_>>() {
            let Some(object) = self.objects.get(&key).cloned() else {
                continue;
            };
            let plan = self.plan(&object);
            again = [again, plan.again].into_iter().flatten().min();
            self.last.extend(plan.actions.clone());
            for action in plan.actions {
                let name = self.act(action.verb);
                if let Some(event) = action.event {
                    self.events
                        .push(format!("{} {}", event.reason, event.message.replace("{name}", &name)));
                }
            }
        }
        self.now += SignedDuration::from_secs(1);
        if !self.last.is_empty() {
            return false;
        }
        let next = again.filter(|again| again.duration_since(self.now) < PATIENCE);
        self.now = next.map_or(self.now, |next| self.now.max(next));
        next.is_none()
    }

    fn plan(&self, object: &Value) -> Plan {
        let objects = &self.objects;
        let of = |kind: &str| -> Vec<&Value> {
            let all = objects.iter().filter(|((of, _), _)| of == kind);
            all.map(|(_, object)| object).collect()
        };
        let (pods, now) = (of("Pod"), self.now);
        match text(object, "/kind") {
            "Deployment" => reconcile_deployment(object, &of("ReplicaSet"), &pods, None, now),
            "ReplicaSet" => reconcile_replica_set(object, &pods, &of("ReplicaSet"), None, now),
            "StatefulSet" => {
                let (claims, revisions) = (of("PersistentVolumeClaim"), of("ControllerRevision"));
                reconcile_stateful_set(object, &pods, &claims, &revisions, now)
            }
            "DaemonSet" => reconcile_daemon_set(object, &pods, &of("Node"), &of("ControllerRevision"), now),
            "Job" => reconcile_job(object, &pods, now),
            "Pod" => reconcile_pod(object, &of("Node"), self.counter, now),
            "Service" => {
                let mut plan = reconcile_endpoint_slices(object, &pods, &of("Node"), &of("EndpointSlice"), now);
                plan.actions
                    .extend(reconcile_endpoints(object, &pods, &of("Endpoints"), now).actions);
                plan
            }
            _ => Plan::default(),
        }
    }

    fn act(&mut self, verb: Verb) -> String {
        match verb {
            Verb::Create(object) => return self.create(object),
            Verb::Update(object) => self.update(object),
            Verb::UpdateStatus(new) => {
                let Some(mut object) = self.objects.get(&key(&new)).cloned() else {
                    return String::new();
                };
                assert_eq!(
                    object["metadata"]["resourceVersion"], new["metadata"]["resourceVersion"],
                    "an object that changed"
                );
                assert_ne!(
                    (&object["status"], &object["metadata"]),
                    (&new["status"], &new["metadata"]),
                    "a change that is none"
                );
                object["status"] = new["status"].clone();
                object["metadata"]["annotations"] = new["metadata"]["annotations"].clone();
                self.put(object);
            }
            Verb::Patch { object, patch, .. } => {
                let mut patched = self.objects[&(object.kind, object.name)].clone();
                json_patch::merge(&mut patched, &patch);
                self.put(patched);
            }
            Verb::Bind { pod, node } => {
                let mut bound = self.objects[&(pod.kind, pod.name)].clone();
                bound["spec"]["nodeName"] = json!(node);
                self.put(bound);
            }
            Verb::Delete {
                object, grace_period, ..
            } => {
                let Some(found) = self.objects.get(&(object.kind.clone(), object.name.clone())) else {
                    return String::new();
                };
                assert_eq!(text(found, "/metadata/uid"), object.uid);
                let found = found.clone();
                self.delete(found, grace_period);
            }
            Verb::Tell => {}
        }
        String::new()
    }

    pub(super) fn create(&mut self, mut object: Value) -> String {
        self.counter += 1;
        let prefix = text(&object, "/metadata/generateName").to_owned();
        if text(&object, "/metadata/name").is_empty() {
            object["metadata"]["name"] = json!(format!("{prefix}{:05}", self.counter));
        }
        object["metadata"]["uid"] = json!(format!("uid-{:05}", self.counter));
        object["metadata"]["creationTimestamp"] = json!(self.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        object["metadata"]["generation"] = json!(1);
        if text(&object, "/kind") == "Pod" {
            object["status"] = json!({ "phase": "Pending" });
        }
        let name = text(&object, "/metadata/name").to_owned();
        let key = key(&object);
        assert!(!self.objects.contains_key(&key), "{key:?} is there already");
        self.put(object);
        name
    }

    fn update(&mut self, mut object: Value) {
        let Some(before) = self.objects.get(&key(&object)) else {
            return;
        };
        if before["spec"] != object["spec"] {
            object["metadata"]["generation"] = json!(before["metadata"]["generation"].as_i64().unwrap_or(0) + 1);
        }
        self.put(object);
    }

    /// Pods go in grace, others at once; finalizers are waited for.
    pub(super) fn delete(&mut self, mut object: Value, grace_period: Option<i64>) {
        let is_graceful = text(&object, "/kind") == "Pod" && !text(&object, "/spec/nodeName").is_empty();
        let grace = grace_period.unwrap_or(if is_graceful { 30 } else { 0 });
        if grace == 0 && items(&object, "/metadata/finalizers").is_empty() {
            self.objects.remove(&key(&object));
            return;
        }
        object["metadata"]["deletionTimestamp"] = json!(self.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        object["metadata"]["deletionGracePeriodSeconds"] = json!(grace);
        self.put(object);
    }

    fn put(&mut self, mut object: Value) {
        self.counter += 1;
        object["metadata"]["resourceVersion"] = json!(self.counter.to_string());
        let is_gone = object["metadata"]["deletionGracePeriodSeconds"] == json!(0)
            && items(&object, "/metadata/finalizers").is_empty();
        if is_gone {
            self.objects.remove(&key(&object));
        } else {
            self.objects.insert(key(&object), object);
        }
    }
}

fn key(object: &Value) -> Key {
    (
        text(object, "/kind").to_owned(),
        text(object, "/metadata/name").to_owned(),
    )
}
