//! `DaemonSets` over nodes and Pods, as `k8s.io/kubernetes/pkg/controller/daemon` does it.
//!
//! | module | what |
//! |---|---|
//! | `place` | which nodes are to have a Pod, and the Pod for a node |
//! | `manage` | Pods that are missing or too many |
//! | `update` | Pods that are replaced by new ones |
//! | `status` | the status |

mod manage;
mod place;
mod status;
mod update;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::action::{Event, Plan, Verb};
use super::claim::claimed;
use super::labels::label;
use super::owner::{is_deleted, name};
use super::pod::again_when_available;
use super::template::is_same;
use super::{hash, revision, template, time};
use crate::read::integer;

const COMPONENT: &str = "daemonset-controller";
const HASH: &str = "controller-revision-hash";
const GENERATION: &str = "pod-template-generation";
/// Where the API server counts the templates of a `DaemonSet`.
const GENERATION_OF_SET: &str = "deprecated.daemonset.template.generation";

/// What the DaemonSet controller would do now.
///
/// `pods` and `revisions` are those of the namespace, `nodes` are all.
pub fn reconcile_daemon_set(
    set: &Value,
    pods: &[&Value],
    nodes: &[&Value],
    revisions: &[&Value],
    now: Timestamp,
) -> Plan {
    let mut plan = Plan::default();
    if is_deleted(set) {
        return plan;
    }
    let own = claimed(set, pods, &mut plan);
    let history = revision::of_owner(set, revisions);
    let current = if plan.is_done() {
        current_revision(set, &history, revisions, &mut plan)
    } else {
        None
    };
    let Some(current) = current else { return plan };
    let hash = label(current, HASH).unwrap_or_default();
    let mut on_node: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for pod in &own {
        on_node.entry(place::node_of(pod)).or_default().push(pod);
    }
    for pods in on_node.values_mut() {
        pods.sort_by(|a, b| place::by_age(a, b));
    }
    let min_ready_seconds = integer(set, "/spec/minReadySeconds");
    let mut controller = Controller {
        set,
        nodes,
        on_node,
        hash,
        min_ready_seconds,
        now,
        plan,
    };
    controller.manage();
    if controller.plan.is_done() {
        controller.update();
    }
    let is_live = |revision: &Value| {
        name(revision) == name(current) || own.iter().any(|pod| label(pod, HASH) == label(revision, HASH))
    };
    for old in revision::surplus(set, &history, is_live) {
        controller.plan.delete(old, None);
    }
    again_when_available(&own, min_ready_seconds, now, &mut controller.plan);
    controller.update_status();
    controller.plan
}

/// The revision of the set's template. `None` if it is only made or renewed now.
fn current_revision<'a>(set: &Value, history: &[&'a Value], all: &[&Value], plan: &mut Plan) -> Option<&'a Value> {
    let data = revision::data(set);
    let is_current = |revision: &&Value| is_same(&revision["data"], &data);
    let next = history
        .iter()
        .filter(|revision| !is_current(revision))
        .map(|old| integer(old, "/revision"))
        .max();
    let next = next.unwrap_or_default() + 1;
    if let Some(current) = history.iter().copied().rfind(is_current) {
        if integer(current, "/revision") >= next {
            return Some(current);
        }
        let mut renewed = current.clone();
        renewed["revision"] = json!(next);
        plan.push(Verb::Update(renewed));
        return None;
    }
    let collisions = set.pointer("/status/collisionCount").and_then(Value::as_i64);
    let hash = hash::of_template(&set["spec"]["template"], collisions);
    let new = revision::new(set, &data, next, HASH, &hash);
    if all.iter().any(|other| name(other) == name(&new)) {
        let mut collided = set.clone();
        collided["status"]["collisionCount"] = json!(collisions.unwrap_or_default() + 1);
        plan.push(Verb::UpdateStatus(collided));
    } else {
        plan.push(Verb::Create(new));
    }
    None
}

/// One look at one `DaemonSet`.
struct Controller<'a> {
    set: &'a Value,
    nodes: &'a [&'a Value],
    /// The set's Pods, the oldest first.
    on_node: BTreeMap<&'a str, Vec<&'a Value>>,
    hash: &'a str,
    min_ready_seconds: i64,
    now: Timestamp,
    plan: Plan,
}

impl<'a> Controller<'a> {
    fn pods_on(&self, node: &str) -> &[&'a Value] {
        self.on_node.get(node).map_or(&[], Vec::as_slice)
    }

    fn is_available(&self, pod: &Value) -> bool {
        super::pod::is_available(pod, self.min_ready_seconds, self.now)
    }

    /// Whether the Pod is of the template that the set has now.
    fn is_updated(&self, pod: &Value) -> bool {
        let generation = super::labels::annotation(self.set, GENERATION_OF_SET);
        label(pod, HASH) == Some(self.hash) || (generation.is_some() && label(pod, GENERATION) == generation)
    }

    fn create_on(&mut self, node: &str) {
        let mut of = self.set["spec"]["template"].clone();
        if let Some(generation) = super::labels::annotation(self.set, GENERATION_OF_SET) {
            template::set_metadata(&mut of, "labels", GENERATION, generation);
        }
        template::set_metadata(&mut of, "labels", HASH, self.hash);
        let mut pod = template::pod(&of, self.set);
        place::tolerate(&mut pod["spec"]);
        place::pin(&mut pod["spec"], node);
        let told = Event::normal(
            self.set,
            COMPONENT,
            "SuccessfulCreate",
            "Created pod: {name}".to_owned(),
        );
        self.plan.push_told(Verb::Create(pod), told);
    }

    fn delete(&mut self, pod: &Value) {
        let message = format!("Deleted pod: {}", name(pod));
        let told = Event::normal(self.set, COMPONENT, "SuccessfulDelete", message);
        self.plan.delete(pod, Some(told));
    }

    /// Looks again at a Pod that has failed a moment ago.
    fn look_again_at(&mut self, pod: &Value) -> bool {
        let ended = super::pod::ended_at(pod).map(|ended| time::after(ended, 1));
        let is_early = ended.is_some_and(|ended| ended > self.now);
        if let Some(ended) = ended.filter(|_| is_early) {
            self.plan.again_at(ended);
        }
        is_early
    }
}
