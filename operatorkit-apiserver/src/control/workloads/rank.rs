//! Which Pods go first when there are too many (`ActivePodsWithRanks` of `k8s.io/kubernetes/pkg/controller`).

use std::cmp::{Ordering, Reverse};

use jiff::Timestamp;
use serde_json::Value;

use super::labels::annotation;
use super::owner::uid;
use super::pod::{is_ready, ready_since};
use super::time::created;
use crate::read::{integer, items, text};

const COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// The Pods, those that should go first before the others. `related` are the Pods that share nodes with them.
pub(super) fn for_deletion<'a>(pods: &[&'a Value], related: &[&Value], now: Timestamp) -> Vec<&'a Value> {
    let on_node = |pod: &Value| related.iter().filter(|other| node(other) == node(pod)).count();
    let mut ranked: Vec<(usize, &Value)> = pods.iter().map(|pod| (on_node(pod), *pod)).collect();
    ranked.sort_by(|(a_rank, a), (b_rank, b)| {
        (step(a).cmp(&step(b)))
            .then_with(|| cost(a).cmp(&cost(b)))
            .then_with(|| b_rank.cmp(a_rank))
            .then_with(|| by_readiness(a, b, Some(now)))
            .then_with(|| restarts(b).cmp(&restarts(a)))
            .then_with(|| by_moments(a, b, created(a), created(b), Some(now)))
    });
    ranked.into_iter().map(|(_, pod)| pod).collect()
}

/// The same without costs and nodes, as Jobs do it: the youngest first.
pub(super) fn youngest_first<'a>(pods: &[&'a Value]) -> Vec<&'a Value> {
    let mut pods = pods.to_vec();
    pods.sort_by(|a, b| {
        (step(a).cmp(&step(b)))
            .then_with(|| by_readiness(a, b, None))
            .then_with(|| restarts(b).cmp(&restarts(a)))
            .then_with(|| by_moments(a, b, created(a), created(b), None))
    });
    pods
}

/// How far the Pod has come: on a node, running, ready.
fn step(pod: &Value) -> (bool, u8, bool) {
    let phase = match text(pod, "/status/phase") {
        "Pending" => 0,
        "Unknown" => 1,
        _ => 2,
    };
    (!node(pod).is_empty(), phase, is_ready(pod))
}

fn node(pod: &Value) -> &str {
    text(pod, "/spec/nodeName")
}

fn cost(pod: &Value) -> i32 {
    annotation(pod, COST)
        .and_then(|cost| cost.parse().ok())
        .unwrap_or_default()
}

fn restarts(pod: &Value) -> i64 {
    items(pod, "/status/containerStatuses")
        .iter()
        .map(|status| integer(status, "/restartCount"))
        .max()
        .unwrap_or_default()
}

fn by_readiness(a: &Value, b: &Value, now: Option<Timestamp>) -> Ordering {
    if !is_ready(a) || !is_ready(b) {
        return Ordering::Equal;
    }
    by_moments(a, b, ready_since(a), ready_since(b), now)
}

/// The younger first. With a time to look back from, ages of one order of magnitude count as equal, and chance decides.
fn by_moments(
    a: &Value,
    b: &Value,
    of_a: Option<Timestamp>,
    of_b: Option<Timestamp>,
    now: Option<Timestamp>,
) -> Ordering {
    match (of_a, of_b, now) {
        (Some(of_a), Some(of_b), Some(now)) if of_a != of_b => magnitude(of_a, now)
            .cmp(&magnitude(of_b, now))
            .then_with(|| uid(a).cmp(uid(b))),
        (Some(of_a), Some(of_b), _) => Reverse(of_a).cmp(&Reverse(of_b)),
        // A moment that is not there is as young as can be.
        _ => of_a.is_some().cmp(&of_b.is_some()),
    }
}

fn magnitude(moment: Timestamp, now: Timestamp) -> i32 {
    match u128::try_from(now.duration_since(moment).as_nanos()) {
        Ok(nanoseconds) if nanoseconds > 0 => i32::try_from(nanoseconds.ilog2()).unwrap_or(i32::MAX),
        _ => -1,
    }
}
