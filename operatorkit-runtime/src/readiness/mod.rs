//! Whether a child is ready, by the rules of kstatus for its kind.

mod conditions;
mod kinds;
mod pods;
#[cfg(test)]
mod tests;
mod workloads;

use std::borrow::Cow;

use serde_json::Value;

use conditions::{Condition, integer, text};

/// Whether a child is ready for what comes after it.
///
/// A message says what is missing in words that stay the same while numbers change: it goes into the object's status, which is written
/// whenever it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// What was asked for is there.
    Ready,
    /// Not yet; an event of the child tells when to look again.
    Pending {
        /// One word in CamelCase.
        reason: Cow<'static, str>,
        /// What is missing, in a sentence without numbers that change.
        message: Cow<'static, str>,
    },
    /// It will not get ready by waiting.
    Failed {
        /// One word in CamelCase.
        reason: Cow<'static, str>,
        /// What went wrong, in a sentence without numbers that change.
        message: Cow<'static, str>,
    },
}

impl Readiness {
    /// Not ready yet, with a reason (one word in CamelCase) and a message.
    pub fn pending(reason: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Pending {
            reason: reason.into(),
            message: message.into(),
        }
    }

    /// Failed, with a reason (one word in CamelCase) and a message.
    pub fn failed(reason: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Failed {
            reason: reason.into(),
            message: message.into(),
        }
    }

    /// Ready if `met`, else what `otherwise` says.
    fn ready_if(met: bool, otherwise: impl FnOnce() -> Self) -> Self {
        if met { Self::Ready } else { otherwise() }
    }
}

/// The readiness of an object as the API server returned it, `apiVersion` and `kind` included.
///
/// The rules are those of kstatus (`sigs.k8s.io/cli-utils/pkg/kstatus`): an object that is being deleted, or whose latest
/// generation its controller has not seen, is pending; the conditions `Reconciling` and `Stalled` decide for any kind;
/// then come the rules of the kind; a kind without rules is decided by its condition `Ready`, and is ready if it has none.
///
/// Where we say something else than kstatus:
///
/// - `Deployment`, `StatefulSet`, `DaemonSet` and `ReplicaSet` are pending until their controller has seen them at all; a
///   `Deployment` of no replicas is ready from then on, without conditions.
/// - A `Job` that runs is ready, as in kstatus: its Pods start. Where its end is meant, say so with `Manifest::readiness`.
/// - A `Pod` that cannot be scheduled is pending, not failed after 15 seconds: the answer depends on the object alone.
///   One in phase `Failed` has failed, and so has a `PersistentVolumeClaim` in phase `Lost`.
/// - A `Service` of type `LoadBalancer` needs an address too, and a `PersistentVolume` or an `APIService` must be available.
/// - A condition `Ready`, `Reconciling` or `Stalled` that names an older generation than the object's counts as not seen.
pub(crate) fn readiness(object: &Value) -> Readiness {
    let metadata = &object["metadata"];
    if !metadata["deletionTimestamp"].is_null() {
        return Readiness::pending("Terminating", format!("the {} is being deleted", kind(object)));
    }
    let generation = integer(&metadata["generation"]);
    let observed = integer(&object["status"]["observedGeneration"]);
    if generation
        .zip(observed)
        .is_some_and(|(generation, observed)| observed < generation)
    {
        // The workloads say the same before their controller has seen them as while it rolls out.
        return workloads::unseen(object).unwrap_or_else(|| unseen(object));
    }
    if let Some(decided) = by_standard_conditions(object) {
        return decided;
    }
    kinds::rule(object).map_or_else(|| by_ready_condition(object), |rule| rule(object))
}

fn by_standard_conditions(object: &Value) -> Option<Readiness> {
    conditions::all(object).find_map(|condition| match condition {
        Condition {
            kind: "Reconciling" | "Stalled",
            status: "True",
            ..
        } if condition.is_old(object) => Some(unseen(object)),
        Condition {
            kind: "Reconciling",
            status: "True",
            ..
        } => Some(condition.pending(object)),
        Condition {
            kind: "Stalled",
            status: "True",
            ..
        } => Some(condition.failed(object)),
        _ => None,
    })
}

fn by_ready_condition(object: &Value) -> Readiness {
    let Some(condition) = conditions::find(object, "Ready") else {
        return Readiness::Ready;
    };
    match condition.status {
        _ if condition.is_old(object) => unseen(object),
        "False" | "Unknown" => condition.pending(object),
        _ => Readiness::Ready,
    }
}

fn unseen(object: &Value) -> Readiness {
    Readiness::pending(
        "NotObserved",
        format!(
            "the {}'s latest change was not seen by its controller yet",
            kind(object)
        ),
    )
}

fn kind(object: &Value) -> &str {
    let kind = text(&object["kind"]);
    if kind.is_empty() { "object" } else { kind }
}
