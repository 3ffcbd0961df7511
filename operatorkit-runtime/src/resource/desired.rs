//! `Desired`: the children that a `Manifest` wants, or why it cannot say now.

use std::time::Duration;

use crate::flow::Flow;

/// What [`Manifest::desired`](super::Manifest::desired) answers: children, or a [`Flow`].
///
/// Made `From` an object, an `Option` of one, a `Vec`, or any `Flow` of a `Vec`. None and an empty `Vec` mean that no child is
/// wanted: those that exist are deleted, in delete order.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Desired<T>(pub(crate) Flow<Vec<T>>);

impl<T> Desired<T> {
    /// No child.
    pub fn none() -> Self {
        Self(Flow::Ready(Vec::new()))
    }

    /// Not yet; an event will bring the next pass.
    pub fn wait(message: impl Into<String>) -> Self {
        Self(Flow::wait(message))
    }

    /// Not yet; look again after `again`.
    pub fn wait_for(again: Duration, message: impl Into<String>) -> Self {
        Self(Flow::wait_for(again, message))
    }

    /// Leave this resource for this pass; its children stay.
    pub fn skip(why: impl Into<String>) -> Self {
        Self(Flow::skip(why))
    }

    /// Stop this pass.
    pub fn cancel(why: impl Into<String>) -> Self {
        Self(Flow::cancel(why))
    }
}

impl<T> From<T> for Desired<T> {
    fn from(object: T) -> Self {
        Self(Flow::Ready(vec![object]))
    }
}

impl<T> From<Option<T>> for Desired<T> {
    fn from(object: Option<T>) -> Self {
        Self(Flow::Ready(object.into_iter().collect()))
    }
}

impl<T> From<Vec<T>> for Desired<T> {
    fn from(objects: Vec<T>) -> Self {
        Self(Flow::Ready(objects))
    }
}

impl<T> From<Flow<Vec<T>>> for Desired<T> {
    fn from(flow: Flow<Vec<T>>) -> Self {
        Self(flow)
    }
}
