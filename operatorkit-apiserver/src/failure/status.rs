//! `Status`: one constructor for each reason (`k8s.io/apimachinery/pkg/api/errors`).

use std::{borrow::Cow, fmt};

use serde_json::{Value, json};

use super::field::FieldError;

/// One entry of `details.causes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// `FieldValueInvalid`, `NamespaceTerminating`, …
    pub reason: Cow<'static, str>,
    /// For people.
    pub message: String,
    /// The place in the object; empty if the cause has none.
    pub field: String,
}

/// What a request is about, as a `Status` names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The API group; empty for the core.
    pub group: Box<str>,
    /// The plural of the resource, or the kind where the real server names that.
    pub kind: Box<str>,
    /// The object; empty for a collection.
    pub name: Box<str>,
}

impl Target {
    /// A target.
    pub fn new(group: &str, kind: &str, name: &str) -> Self {
        Self {
            group: group.into(),
            kind: kind.into(),
            name: name.into(),
        }
    }

    /// `deployments.apps`, or `pods` in the core group.
    fn qualified(&self) -> String {
        if self.group.is_empty() {
            self.kind.to_string()
        } else {
            format!("{}.{}", self.kind, self.group)
        }
    }
}

/// A refusal: what a `Status` of the real server says.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The HTTP status.
    pub code: u16,
    /// `NotFound`, `Conflict`, …; empty for the reason "unknown".
    pub reason: Cow<'static, str>,
    /// For people.
    pub message: String,
    /// `None`: the `Status` has no `details`.
    pub target: Option<Target>,
    /// The UID in `details`.
    pub uid: Option<String>,
    /// `details.causes`.
    pub causes: Vec<Cause>,
    /// `metadata.continue`: how a list that has expired can go on.
    pub continue_: Option<String>,
    /// `details.retryAfterSeconds`, and the header `Retry-After`.
    pub retry_after: Option<u32>,
}

impl Failure {
    /// Any refusal.
    pub fn new(code: u16, reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
            message: message.into(),
            target: None,
            uid: None,
            causes: Vec::new(),
            continue_: None,
            retry_after: None,
        }
    }

    /// With `details` about this target.
    #[must_use]
    pub fn about(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// With one more cause.
    #[must_use]
    pub fn because(
        mut self,
        reason: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        field: impl Into<String>,
    ) -> Self {
        self.causes.push(Cause {
            reason: reason.into(),
            message: message.into(),
            field: field.into(),
        });
        self
    }

    /// 404 for an object that is not there.
    pub fn not_found(target: Target) -> Self {
        let message = format!("{} {:?} not found", target.qualified(), target.name);
        Self::new(404, "NotFound", message).about(target)
    }

    /// 404 for a path that leads nowhere.
    pub fn no_such_resource() -> Self {
        Self::new(404, "NotFound", "the server could not find the requested resource").about(Target::default())
    }

    /// 409: the name is taken.
    pub fn already_exists(target: Target) -> Self {
        let message = format!("{} {:?} already exists", target.qualified(), target.name);
        Self::new(409, "AlreadyExists", message).about(target)
    }

    /// 409: the object is not as the caller thinks.
    pub fn conflict(target: Target, why: impl fmt::Display) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on {} {:?}: {why}",
            target.qualified(),
            target.name
        );
        Self::new(409, "Conflict", message).about(target)
    }

    /// 422: fields are wrong. `target.kind` is the kind here, not the plural.
    pub fn invalid(target: Target, errors: &[FieldError]) -> Self {
        let mut messages: Vec<String> = Vec::new();
        for error in errors {
            let message = error.to_string();
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
        let errors_text = if messages.len() == 1 {
            messages.remove(0)
        } else {
            format!("[{}]", messages.join(", "))
        };
        let message = format!("{} {:?} is invalid: {errors_text}", target.qualified(), target.name);
        let mut failure = Self::new(422, "Invalid", message).about(target);
        failure.causes = errors.iter().map(FieldError::cause).collect();
        failure
    }

    /// 400.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    /// 403, with the reason in words.
    pub fn forbidden(target: Target, why: impl fmt::Display) -> Self {
        let message = if target.name.is_empty() {
            format!("{} is forbidden: {why}", target.qualified())
        } else {
            format!("{} {:?} is forbidden: {why}", target.qualified(), target.name)
        };
        Self::new(403, "Forbidden", message).about(target)
    }

    /// 401.
    pub fn unauthorized() -> Self {
        Self::new(401, "Unauthorized", "Unauthorized")
    }

    /// 410: the version is too old to list or watch from.
    pub fn expired(message: impl Into<String>) -> Self {
        Self::new(410, "Expired", message)
    }

    /// 405.
    pub fn method_not_allowed() -> Self {
        Self::new(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
        )
        .about(Target::default())
    }

    /// 406.
    pub fn not_acceptable(accepted: &str) -> Self {
        Self::new(
            406,
            "NotAcceptable",
            format!("only the following media types are accepted: {accepted}"),
        )
    }

    /// 415.
    pub fn unsupported_media_type(accepted: &str) -> Self {
        let message =
            format!("the body of the request was in an unknown format - accepted media types include: {accepted}");
        Self::new(415, "UnsupportedMediaType", message)
    }

    /// 413.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(413, "RequestEntityTooLarge", message)
    }

    /// 429, with the seconds to wait.
    pub fn too_many_requests(message: impl Into<String>, retry_after: u32) -> Self {
        let mut failure = Self::new(429, "TooManyRequests", message).about(Target::default());
        failure.retry_after = Some(retry_after);
        failure
    }

    /// 500.
    pub fn internal(message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self::new(500, "InternalError", format!("Internal error occurred: {message}"))
            .about(Target::default())
            .because("", message, "")
    }

    /// The body.
    pub fn status(&self) -> Value {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": self.message, "code": self.code,
        });
        if !self.reason.is_empty() {
            status["reason"] = self.reason.as_ref().into();
        }
        if let Some(token) = &self.continue_ {
            status["metadata"]["continue"] = token.as_str().into();
        }
        if let Some(details) = self.details() {
            status["details"] = details;
        }
        status
    }

    fn details(&self) -> Option<Value> {
        if self.target.is_none() && self.causes.is_empty() && self.retry_after.is_none() && self.uid.is_none() {
            return None;
        }
        let mut details = json!({});
        let target = self.target.clone().unwrap_or_default();
        for (key, value) in [("name", &target.name), ("group", &target.group), ("kind", &target.kind)] {
            if !value.is_empty() {
                details[key] = value.as_ref().into();
            }
        }
        if let Some(uid) = &self.uid {
            details["uid"] = uid.as_str().into();
        }
        if !self.causes.is_empty() {
            details["causes"] = self.causes.iter().map(cause).collect();
        }
        if let Some(seconds) = self.retry_after {
            details["retryAfterSeconds"] = seconds.into();
        }
        Some(details)
    }
}

fn cause(cause: &Cause) -> Value {
    let mut value = json!({});
    for (key, text) in [
        ("reason", cause.reason.as_ref()),
        ("message", &cause.message),
        ("field", &cause.field),
    ] {
        if !text.is_empty() {
            value[key] = text.into();
        }
    }
    value
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
