//! Certificate requests and trust bundles.

use serde_json::{Value, json};

use super::cell::Cell::{self, Age, Labels, Name, Of, Text};
use crate::read::{condition, items, some_text, text};
use crate::table::duration;

pub(super) fn cells_of(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "CertificateSigningRequest" => &[
            Name,
            Age,
            Of(signer),
            Text("/spec/username"),
            Of(requested_duration),
            Of(state),
        ],
        "ClusterTrustBundle" => &[Name, Of(signer)],
        "PodCertificateRequest" => &[
            Name,
            Text("/spec/podName"),
            Text("/spec/serviceAccountName"),
            Text("/spec/nodeName"),
            Text("/spec/signerName"),
            Of(pod_request_state),
            Labels("/spec/unverifiedUserAnnotations"),
        ],
        _ => return None,
    })
}

fn signer(object: &Value) -> Value {
    json!(some_text(object, "/spec/signerName").unwrap_or("<none>"))
}

fn requested_duration(request: &Value) -> Value {
    json!(
        match request.pointer("/spec/expirationSeconds").and_then(Value::as_i64) {
            Some(seconds) => duration::human(seconds),
            None => "<none>".to_owned(),
        }
    )
}

/// `Approved,Issued`. A denial wins over an approval.
fn state(request: &Value) -> Value {
    let has = |kind| condition(request, "/status/conditions", kind).is_some();
    let mut state = String::from(match (has("Denied"), has("Approved")) {
        (true, _) => "Denied",
        (false, true) => "Approved",
        (false, false) => "Pending",
    });
    if has("Failed") {
        state += ",Failed";
    }
    if some_text(request, "/status/certificate").is_some() {
        state += ",Issued";
    }
    json!(state)
}

fn pod_request_state(request: &Value) -> Value {
    let mut states = items(request, "/status/conditions")
        .iter()
        .map(|condition| text(condition, "/type"));
    json!(
        states
            .rfind(|state| matches!(*state, "Issued" | "Denied" | "Failed"))
            .unwrap_or("Pending")
    )
}
