//! What kind of failure an answer is. Every rule that reads a text names the answer it was read from (1.37).

use std::time::Duration;

use kube::core::{Status, response::StatusCause};

use super::{super::target::Target, immutable};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    NotFound,
    /// The kind, the version, the group or the subresource is not served.
    NotServed,
    NamespaceNotFound,
    AlreadyExists,
    Conflict,
    OtherUid,
    TestFailed,
    Terminating,
    Invalid,
    /// An update that would be valid, were it not for fields that cannot be changed.
    Immutable,
    /// An apply that does not fit the kind's schema: the server answers 500.
    NotInSchema,
    BadRequest,
    TooLarge,
    Forbidden,
    NamespaceTerminating,
    Unauthorized,
    TooManyRequests(Option<Duration>),
    Expired,
    Server(Option<Duration>),
    Unreachable,
    /// It was not sent, or cut off: this process does not lead.
    NotLeading,
    Undecoded,
    Other,
}

impl Class {
    pub(super) fn of(status: &Status, target: &Target) -> Self {
        let after = status
            .details
            .as_ref()
            .map(|details| u64::from(details.retry_after_seconds));
        let after = after.filter(|&seconds| seconds > 0).map(Duration::from_secs);
        match status.code {
            400 | 405 | 406 | 415 => Self::BadRequest,
            401 => Self::Unauthorized,
            403 => forbidden(status),
            404 => missing(status, target),
            409 => conflict(status),
            410 => Self::Expired,
            413 => Self::TooLarge,
            422 => invalid(status),
            429 => Self::TooManyRequests(after),
            500 if is_untyped(&status.message) => Self::NotInSchema,
            500..=599 => Self::Server(after),
            _ => Self::Other,
        }
    }

    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::NotFound => "NotFound",
            Self::NotServed => "KindNotServed",
            Self::NamespaceNotFound => "NamespaceNotFound",
            Self::AlreadyExists => "AlreadyExists",
            Self::Conflict => "Conflict",
            Self::OtherUid => "OtherUid",
            Self::TestFailed => "ChangedMeanwhile",
            Self::Terminating => "Terminating",
            Self::Invalid => "Invalid",
            Self::Immutable => "Immutable",
            Self::NotInSchema => "NotInSchema",
            Self::BadRequest => "BadRequest",
            Self::TooLarge => "TooLarge",
            Self::Forbidden => "Forbidden",
            Self::NamespaceTerminating => "NamespaceTerminating",
            Self::Unauthorized => "Unauthorized",
            Self::TooManyRequests(_) => "TooManyRequests",
            Self::Expired => "Expired",
            Self::Server(_) => "ServerError",
            Self::Unreachable => "Unreachable",
            Self::NotLeading => "NotLeading",
            Self::Undecoded => "DecodeFailed",
            Self::Other => "RequestFailed",
        }
    }
}

/// The causes of an answer; none for most.
pub(super) fn causes(status: &Status) -> &[StatusCause] {
    status.details.as_ref().map_or(&[], |details| &details.causes)
}

/// `{"reason":"NotFound","details":{}}` and the plain text `404 page not found` are about the path, not the object.
fn missing(status: &Status, target: &Target) -> Class {
    match status.details.as_ref() {
        Some(details) if details.kind == "namespaces" && target.kind != "Namespace" => Class::NamespaceNotFound,
        Some(details) if !details.name.is_empty() => Class::NotFound,
        _ => Class::NotServed,
    }
}

fn forbidden(status: &Status) -> Class {
    if causes(status)
        .iter()
        .any(|cause| cause.reason == "NamespaceTerminating")
    {
        return Class::NamespaceTerminating;
    }
    Class::Forbidden
}

/// `the UID in the precondition (…) does not match the UID in record (…)` is a DELETE's.
fn conflict(status: &Status) -> Class {
    if status.reason == "AlreadyExists" {
        Class::AlreadyExists
    } else if status.message.contains("the UID in the precondition") {
        Class::OtherUid
    } else {
        Class::Conflict
    }
}

/// Without causes it is a JSON patch that cannot be applied; with them, mostly, an object that is not valid.
fn invalid(status: &Status) -> Class {
    let causes = causes(status);
    if causes.is_empty() {
        return Class::TestFailed;
    }
    if causes.iter().all(|cause| cause.field == "metadata.uid") {
        return Class::OtherUid;
    }
    let no_new_finalizers = |cause: &StatusCause| {
        cause.field == "metadata.finalizers" && cause.message.contains("no new finalizers can be added")
    };
    if causes.iter().any(no_new_finalizers) {
        Class::Terminating
    } else if immutable::fields(causes).is_some() {
        Class::Immutable
    } else {
        Class::Invalid
    }
}

/// `failed to create typed patch object (…): .spec.typo: field not declared in schema`, or `duplicate entries for key`;
/// `failed to convert new object (…) to proper version: … illegal base64 data`.
fn is_untyped(message: &str) -> bool {
    message.starts_with("failed to create typed patch object") || message.starts_with("failed to convert new object")
}
