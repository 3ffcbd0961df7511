//! How refusals are told (`managedfields`, `conflict.go`).

use serde_json::Value;

use crate::failure::Failure;

use super::{
    element::PathElement,
    request::Request,
    server_side::wrong,
    updater::{Conflict, Refusal},
};

impl Refusal {
    /// With what was tried before the message.
    pub(super) fn context(self, what: &str) -> Self {
        match self {
            Self::Wrong(message) => Self::Wrong(format!("{what}: {message}")),
            conflicts @ Self::Conflicts(_) => conflicts,
        }
    }
}

/// The `Status` of a refusal.
pub(super) fn failure(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Wrong(message) => wrong(message),
        Refusal::Conflicts(conflicts) => {
            let failure = Failure::new(409, "Conflict", message(&conflicts));
            conflicts.iter().fold(failure, |failure, it| {
                let message = format!("conflict with {}", it.manager.describe());
                failure.because("FieldManagerConflict", message, text(&it.path))
            })
        }
    }
}

/// The conflicts are sorted by manager.
fn message(conflicts: &[Conflict]) -> String {
    if let [only] = conflicts {
        let (manager, path) = (only.manager.describe(), text(&only.path));
        return format!("Apply failed with 1 conflict: conflict with {manager}: {path}");
    }
    let mut lines = Vec::new();
    for (index, conflict) in conflicts.iter().enumerate() {
        if index == 0 || conflicts[index - 1].manager != conflict.manager {
            lines.push(format!("conflicts with {}:", conflict.manager.describe()));
        }
        lines.push(format!("- {}", text(&conflict.path)));
    }
    format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
}

/// `.spec.containers[name="x"].image`.
fn text(path: &[PathElement]) -> String {
    path.iter().map(ToString::to_string).collect()
}

/// `apps/v1, Kind=Deployment`, as Go prints a kind.
pub(super) fn group_version_kind(api_version: &str, kind: &str) -> String {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    format!("{group}/{version}, Kind={kind}")
}

/// `namespace/name; apps/v1, Kind=Deployment`.
pub(super) fn name(object: &Value, request: &Request<'_>) -> String {
    let text = |name: &str| object["metadata"][name].as_str().unwrap_or_default();
    let kind = group_version_kind(request.api_version, request.kind);
    format!("{}/{}; {kind}", text("namespace"), text("name"))
}
