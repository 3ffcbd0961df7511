//! The annotation that CRDs in groups of the Kubernetes community need.

use serde_json::Value;

use crate::{
    crd::validation::formats,
    failure::{FieldError, FieldPath},
};

const ANNOTATION: &str = "api-approved.kubernetes.io";
const WHY: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// What the annotation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crd) enum Approval {
    /// It has the address of an approval.
    Approved,
    /// It says that there is none.
    Bypassed,
    /// It is not there.
    Missing,
    /// It says nothing that is understood.
    Invalid,
}

/// Whether a group is one of the community's.
pub(in crate::crd) fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|it| {
        group
            .strip_suffix(it)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// What the annotation of a CRD says, and in words.
pub(in crate::crd) fn state(crd: &Value) -> (Approval, String) {
    let annotation = crd["metadata"]["annotations"][ANNOTATION].as_str().unwrap_or_default();
    if annotation.is_empty() {
        return (
            Approval::Missing,
            format!("protected groups must have approval annotation \"{ANNOTATION}\", {WHY}"),
        );
    }
    if annotation.starts_with("unapproved") {
        return (Approval::Bypassed, format!("not approved: {annotation:?}"));
    }
    let host = annotation
        .split_once("://")
        .is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty() && !rest.starts_with('/'));
    if host && formats::is_valid("uri", annotation) {
        return (Approval::Approved, format!("approved in {annotation}"));
    }
    let reason = format!(
        "protected groups must have approval annotation \"{ANNOTATION}\" with either a URL or a reason starting with \
         \"unapproved\", {WHY}"
    );
    (Approval::Invalid, reason)
}

/// Checks the annotation, unless it means what it meant before.
pub(super) fn check(new: &Value, old: Option<&Value>) -> Option<FieldError> {
    if !is_protected(new["spec"]["group"].as_str().unwrap_or_default()) {
        return None;
    }
    let (approval, reason) = state(new);
    if old.is_some_and(|old| state(old).0 == approval) {
        return None;
    }
    let field = FieldPath::new("metadata.annotations").key(ANNOTATION);
    match approval {
        Approval::Approved | Approval::Bypassed => None,
        Approval::Missing => Some(FieldError::required(&field, &reason)),
        Approval::Invalid => {
            let value = &new["metadata"]["annotations"][ANNOTATION];
            Some(FieldError::invalid(&field, value, reason))
        }
    }
}
