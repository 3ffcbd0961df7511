//! Reporting errors to whoever collects them: Sentry, with its feature, and any other by a trait.
//!
//! Every failure of a pass is reported, and the error that ends the app; `Wait`, `Skip` and `Cancel` are none. One that lasts is reported
//! when it appears, and again each hour: the same resource, operation, reason and message of the same object is the same failure. After a pass
//! without it, it is a new one. (Go operatorkit sends every repetition of every retry.) What is reported is what the status and the Event
//! say: texts of errors, 1024 bytes at most each, never a body of a request or an answer.

mod queue;
#[cfg(feature = "sentry")]
mod sentry;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub(crate) use queue::Reports;
#[cfg(feature = "sentry")]
pub use sentry::Sentry;

use crate::{
    error::Error,
    judgement::{Judgement, causes, message},
    layer::{Operation, Verb},
};

/// Where errors are reported to.
///
/// Reports come one after another, on a thread of their own: a reporter may block, no pass waits for it. 1024 reports wait at most; more are
/// dropped, which is logged. A panic in it is logged, and nothing else stops.
///
/// ```
/// use operatorkit_runtime::reporting::{ErrorReport, ErrorReporter};
///
/// struct Pager;
///
/// impl ErrorReporter for Pager {
///     fn report(&self, report: &ErrorReport) {
///         println!("{}: {}", report.reason, report.message);
///     }
/// }
/// ```
pub trait ErrorReporter: Send + Sync + 'static {
    /// Takes one report.
    fn report(&self, report: &ErrorReport);

    /// Sends what it still holds back, within this time; called when the app ends, whatever it ended of. By default there is nothing.
    fn flush(&self, _limit: Duration) {}
}

/// A failure, as reporters are told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorReport {
    /// The app's name.
    pub app: String,
    /// The operator's name; `None`: the app as a whole, such as one that cannot start.
    pub operator: Option<String>,
    /// The kind of the object.
    pub kind: Option<String>,
    /// The namespace of the object; `None` also where it is cluster-scoped.
    pub namespace: Option<String>,
    /// The name of the object.
    pub name: Option<String>,
    /// The UID of the object.
    pub uid: Option<String>,
    /// The resource; `None`: the pass as a whole, such as a status that cannot be written.
    pub resource: Option<String>,
    /// The operation that failed; `None` where it was none of the user's, such as a child outside of its namespace.
    pub operation: Option<Verb>,
    /// As in the condition and the Event: that of `reason(..)`, that of the API server's answer, else `Failed`.
    pub reason: String,
    /// The error with its causes in one text, and a remedy where one is known.
    pub message: String,
    /// The error and its causes, the outermost first.
    pub causes: Vec<String>,
    /// Whether it is not retried in a hurry.
    pub permanent: bool,
}

impl ErrorReport {
    /// Of no operator and no object.
    pub(crate) fn new(err: &Error) -> Self {
        let judgement = Judgement::of(err);
        Self {
            app: String::new(),
            operator: None,
            kind: None,
            namespace: None,
            name: None,
            uid: None,
            resource: None,
            operation: None,
            reason: judgement.reason.into_owned(),
            message: message(err),
            causes: causes(err),
            permanent: judgement.permanent,
        }
    }

    /// Of an operation.
    pub(crate) fn of(operation: &Operation<'_>, err: &Error) -> Self {
        Self {
            operator: Some(operation.controller.to_owned()),
            kind: Some(operation.kind.to_owned()),
            namespace: operation.namespace.map(str::to_owned),
            name: Some(operation.name.to_owned()),
            uid: Some(operation.uid.to_owned()),
            resource: Some(operation.resource.to_owned()),
            operation: Some(operation.verb),
            ..Self::new(err)
        }
    }

    /// The object as people write it: `namespace/name`, or the name alone.
    pub fn object(&self) -> Option<String> {
        let name = self.name.as_deref()?;
        Some(match &self.namespace {
            Some(namespace) => format!("{namespace}/{name}"),
            None => name.to_owned(),
        })
    }
}
