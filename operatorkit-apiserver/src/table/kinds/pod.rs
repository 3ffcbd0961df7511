//! What a Pod is doing, in one word: the cells that `kubectl get pods` shows.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::read::{has, integer, is_condition_true, is_true, items, some_text, text};
use crate::table::duration;

pub(super) fn ready(pod: &Value) -> Value {
    let summary = Summary::of(pod);
    json!(format!("{}/{}", summary.ready, summary.containers))
}

pub(super) fn status(pod: &Value) -> Value {
    json!(Summary::of(pod).reason)
}

/// `3 (5m ago)`: the containers' restarts, and when the last of them was.
pub(super) fn restarts(pod: &Value, now: Timestamp) -> Value {
    let restarts = Summary::of(pod).restarts;
    json!(match restarts.last {
        Some(last) if restarts.count != 0 => format!("{} ({} ago)", restarts.count, duration::between(last, now)),
        _ => restarts.count.to_string(),
    })
}

pub(super) fn ip(pod: &Value) -> Value {
    json!(some_text(pod, "/status/podIPs/0/ip").unwrap_or("<none>"))
}

pub(super) fn node(pod: &Value) -> Value {
    json!(some_text(pod, "/spec/nodeName").unwrap_or("<none>"))
}

pub(super) fn nominated_node(pod: &Value) -> Value {
    json!(some_text(pod, "/status/nominatedNodeName").unwrap_or("<none>"))
}

/// `1/2`: how many of the readiness gates are open.
pub(super) fn readiness_gates(pod: &Value) -> Value {
    let gates = items(pod, "/spec/readinessGates");
    if gates.is_empty() {
        return json!("<none>");
    }
    let is_open = |gate: &&Value| is_condition_true(pod, "/status/conditions", text(gate, "/conditionType"));
    json!(format!("{}/{}", gates.iter().filter(is_open).count(), gates.len()))
}

/// How often containers were started again, and when the last of them ended before.
#[derive(Clone, Copy, Default)]
struct Restarts {
    count: i64,
    last: Option<Timestamp>,
}

impl Restarts {
    fn add(&mut self, container: &Value) {
        self.count += integer(container, "/restartCount");
        let ended = text(container, "/lastState/terminated/finishedAt").parse().ok();
        self.last = self.last.max(ended);
    }
}

struct Summary {
    containers: usize,
    ready: usize,
    reason: String,
    restarts: Restarts,
}

impl Summary {
    fn of(pod: &Value) -> Self {
        let mut summary = Self {
            containers: items(pod, "/spec/containers").len() + sidecars(pod).count(),
            ready: 0,
            reason: phase(pod).to_owned(),
            restarts: Restarts::default(),
        };
        let of_sidecars = summary.init_containers(pod);
        if let Some(restarts) = of_sidecars {
            summary.restarts = restarts;
            summary.app_containers(pod);
        }
        if has(pod, "/metadata/deletionTimestamp") {
            summary.deleted(pod);
        }
        summary
    }

    /// The restarts of the sidecars alone, `None` while the Pod initializes.
    fn init_containers(&mut self, pod: &Value) -> Option<Restarts> {
        let mut of_sidecars = Restarts::default();
        let mut is_initializing = false;
        for (index, container) in items(pod, "/status/initContainerStatuses").iter().enumerate() {
            let is_sidecar = sidecars(pod).any(|name| name == text(container, "/name"));
            self.restarts.add(container);
            if is_sidecar {
                of_sidecars.add(container);
            }
            if has(container, "/state/terminated") && integer(container, "/state/terminated/exitCode") == 0 {
                continue;
            }
            if is_sidecar && is_true(container, "/started") {
                self.ready += usize::from(is_true(container, "/ready"));
                continue;
            }
            self.reason = init_reason(container, index, items(pod, "/spec/initContainers").len());
            is_initializing = true;
            break;
        }
        let is_initialized = is_condition_true(pod, "/status/conditions", "Initialized");
        (!is_initializing || is_initialized).then_some(of_sidecars)
    }

    fn app_containers(&mut self, pod: &Value) {
        let mut has_running = false;
        let mut error = None;
        // The first container has the last word.
        for container in items(pod, "/status/containerStatuses").iter().rev() {
            self.restarts.add(container);
            if let Some(reason) = some_text(container, "/state/waiting/reason") {
                reason.clone_into(&mut self.reason);
            } else if let Some(terminated) = container.pointer("/state/terminated").filter(|state| !state.is_null()) {
                self.reason = end_reason(terminated);
                if integer(terminated, "/exitCode") != 0 {
                    error = Some(self.reason.clone());
                }
            } else if is_true(container, "/ready") && has(container, "/state/running") {
                has_running = true;
                self.ready += 1;
            }
        }
        if self.reason != "Completed" {
            return;
        }
        if has_running && is_condition_true(pod, "/status/conditions", "Ready") {
            "Running".clone_into(&mut self.reason);
        } else if let Some(error) = error {
            self.reason = error;
        } else if has_running {
            "NotReady".clone_into(&mut self.reason);
        }
    }

    fn deleted(&mut self, pod: &Value) {
        if text(pod, "/status/reason") == "NodeLost" {
            "Unknown".clone_into(&mut self.reason);
        } else if !matches!(text(pod, "/status/phase"), "Succeeded" | "Failed") {
            "Terminating".clone_into(&mut self.reason);
        }
    }
}

/// The Pod's phase, or the more exact reason that its status has.
fn phase(pod: &Value) -> &str {
    const GATED: &str = "SchedulingGated";
    let is_gated =
        |condition: &Value| text(condition, "/type") == "PodScheduled" && text(condition, "/reason") == GATED;
    if items(pod, "/status/conditions").iter().any(is_gated) {
        return GATED;
    }
    some_text(pod, "/status/reason").unwrap_or_else(|| text(pod, "/status/phase"))
}

/// The names of the init containers that go on running beside the others.
fn sidecars(pod: &Value) -> impl Iterator<Item = &str> {
    let is_sidecar = |container: &&Value| text(container, "/restartPolicy") == "Always";
    items(pod, "/spec/initContainers")
        .iter()
        .filter(is_sidecar)
        .map(|container| text(container, "/name"))
}

fn init_reason(container: &Value, index: usize, of: usize) -> String {
    if let Some(terminated) = container.pointer("/state/terminated").filter(|state| !state.is_null()) {
        return format!("Init:{}", end_reason(terminated));
    }
    match some_text(container, "/state/waiting/reason") {
        Some(reason) if reason != "PodInitializing" => format!("Init:{reason}"),
        _ => format!("Init:{index}/{of}"),
    }
}

/// Why a container ended: `Error`, `Signal:9`, `ExitCode:1`.
fn end_reason(terminated: &Value) -> String {
    if let Some(reason) = some_text(terminated, "/reason") {
        return reason.to_owned();
    }
    match integer(terminated, "/signal") {
        0 => format!("ExitCode:{}", integer(terminated, "/exitCode")),
        signal => format!("Signal:{signal}"),
    }
}
