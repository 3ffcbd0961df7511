//! `Failure`: why a request came to nothing, decided once.

mod class;
mod immutable;
mod remedy;
mod text;

use std::{error::Error as StdError, fmt, time::Duration};

use kube::core::Status;

use self::class::Class;
use super::target::Target;
use crate::leader::NotLeading;

/// Why a request came to nothing: what it was about, what kind of failure it is, and what the server said.
///
/// It never holds the body of a request, and nothing of the server's text that could hold a value of a Secret.
#[derive(Clone)]
pub(crate) struct Failure(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    target: Target,
    class: Class,
    message: String,
}

impl Failure {
    /// From what the API server answered.
    pub(super) fn answered(target: Target, status: &Status) -> Self {
        let class = Class::of(status, &target);
        let message = text::message(status, &class, &target);
        Self(Box::new(Inner { target, class, message }))
    }

    /// Such an answer to a list.
    #[cfg(test)]
    pub(crate) fn for_tests(kind: &super::Kind, status: &Status) -> Self {
        Self::answered(Target::all(super::target::Verb::List, kind, None), status)
    }

    /// From kube's error.
    pub(super) fn of(target: Target, err: &kube::Error) -> Self {
        match err {
            kube::Error::Api(status) => Self::answered(target, status),
            kube::Error::SerdeError(err) => Self::undecoded(target, err),
            kube::Error::Auth(err) => Self::new(target, Class::Unauthorized, &text::chain(err)),
            kube::Error::BuildRequest(_) | kube::Error::HttpError(_) => Self::unsendable(target, text::chain(err)),
            kube::Error::Service(err) if err.is::<NotLeading>() => {
                Self::new(target, Class::NotLeading, &err.to_string())
            }
            kube::Error::FromUtf8(_) => Self::new(target, Class::Undecoded, "the answer is not UTF-8"),
            _ => Self::unreachable(target, text::chain(err)),
        }
    }

    /// What came back is not what it should be. serde's texts quote values.
    pub(super) fn undecoded(target: Target, err: &serde_json::Error) -> Self {
        let place = format!("line {}, column {}", err.line(), err.column());
        let message = if target.secret {
            format!("the answer does not decode at {place}")
        } else {
            format!("the answer does not decode: {err}")
        };
        Self::new(target, Class::Undecoded, &message)
    }

    /// What came back decodes, and makes no sense.
    pub(super) fn senseless(target: Target, message: impl AsRef<str>) -> Self {
        Self::new(target, Class::Undecoded, message.as_ref())
    }

    /// No answer, and none to be had.
    pub(super) fn unreachable(target: Target, message: impl AsRef<str>) -> Self {
        Self::new(target, Class::Unreachable, message.as_ref())
    }

    /// The request was never sent, since it cannot be right.
    pub(super) fn unsendable(target: Target, message: impl AsRef<str>) -> Self {
        Self::new(target, Class::BadRequest, message.as_ref())
    }

    fn new(target: Target, class: Class, message: &str) -> Self {
        Self(Box::new(Inner {
            target,
            class,
            message: text::bounded(message),
        }))
    }

    /// There is no object of that name.
    pub(crate) fn is_not_found(&self) -> bool {
        self.0.class == Class::NotFound
    }

    /// The API server does not know the kind, the version or the subresource: it says nothing about an object.
    pub(crate) fn is_not_served(&self) -> bool {
        self.0.class == Class::NotServed
    }

    /// 409: exists already, was changed meanwhile, is not there (an update with a UID), or another manager owns a field.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self.0.class, Class::Conflict | Class::AlreadyExists)
    }

    /// The object of that name has another UID than the request named.
    pub(crate) fn is_other_uid(&self) -> bool {
        self.0.class == Class::OtherUid
    }

    /// A `test` of a JSON patch failed, or a path of it is not there: the server does not tell them apart.
    pub(crate) fn is_test_failed(&self) -> bool {
        self.0.class == Class::TestFailed
    }

    /// What a JSON patch relied on is no longer so: another look decides. Neither error nor backoff.
    pub(crate) fn is_lost_race(&self) -> bool {
        self.is_conflict() || self.is_test_failed()
    }

    /// The object is being deleted and takes no new finalizers.
    pub(crate) fn is_terminating(&self) -> bool {
        self.0.class == Class::Terminating
    }

    /// A right is missing.
    pub(crate) fn is_forbidden(&self) -> bool {
        self.0.class == Class::Forbidden
    }

    /// The namespace is being deleted and takes no new objects.
    pub(crate) fn is_namespace_terminating(&self) -> bool {
        self.0.class == Class::NamespaceTerminating
    }

    /// The CustomResourceDefinition of the kind is being deleted and takes no new objects. Only the message says so.
    pub(crate) fn is_kind_terminating(&self) -> bool {
        self.0.class == Class::Forbidden && self.0.message.contains("custom resource definition is terminating")
    }

    /// The version that a list or watch goes on from is too old: it has to begin anew.
    pub(crate) fn is_expired(&self) -> bool {
        self.0.class == Class::Expired
    }

    /// Whether it tells the same as another one about the same objects; each request for them may tell it.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.0.class == other.0.class && self.0.message == other.0.message
    }

    /// The operator may not do this, or is not known.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.0.class, Class::Forbidden | Class::Unauthorized)
    }

    /// The update is refused for nothing but fields that cannot be changed: an object made anew could have them.
    pub(crate) fn is_immutable(&self) -> bool {
        self.0.class == Class::Immutable
    }

    /// No answer: it says nothing about the request.
    pub(crate) fn is_unreachable(&self) -> bool {
        matches!(
            self.0.class,
            Class::Unreachable | Class::TooManyRequests(_) | Class::NotLeading
        )
    }

    /// The request may be carried out all the same, now or later: there was no answer, or one that the server gives when it does not know
    /// itself, such as that etcd was too slow.
    pub(crate) fn may_come_late(&self) -> bool {
        matches!(self.0.class, Class::Unreachable | Class::NotLeading | Class::Server(_))
    }

    /// The same request will be refused again, until it is changed. What is forbidden may be allowed at any time: a role is granted, a
    /// quota has room again.
    pub(crate) fn is_permanent(&self) -> bool {
        matches!(
            self.0.class,
            Class::Invalid | Class::Immutable | Class::BadRequest | Class::NotInSchema | Class::TooLarge
        )
    }

    /// How long the server wants to be left alone.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self.0.class {
            Class::TooManyRequests(after) | Class::Server(after) => after,
            _ => None,
        }
    }

    /// In CamelCase, for conditions and Events.
    pub(crate) fn reason(&self) -> &'static str {
        self.0.class.reason()
    }

    /// What a person can do about it.
    pub(crate) fn remedy(&self) -> Option<String> {
        remedy::remedy(&self.0.class, &self.0.target, &self.0.message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { target, class, message } = &*self.0;
        match message.as_str() {
            "" => write!(f, "{target}: {}", class.reason()),
            message => write!(f, "{target}: {message}"),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Failure")
            .field(&self.0.class)
            .field(&format_args!("{self}"))
            .finish()
    }
}

// Without a source: kube's errors hold the server's whole text, and what can be told is in ours.
impl StdError for Failure {}

#[cfg(test)]
mod tests;
