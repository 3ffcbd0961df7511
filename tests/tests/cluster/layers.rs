//! Layers around the operations of an operator: what they see, what they can answer, what a retry repeats, and whose list counts.

mod answers;
mod lists;
mod retries;
mod thing;

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use operatorkit::{
    layer::{Layer, Next, Operation, Verb},
    prelude::*,
};

/// Answers `Cancel` before one operation of one resource; for a moment, or for good.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate(Arc<Mutex<Option<Verb>>>);

impl Gate {
    /// Closes it before this operation.
    pub(crate) fn before(&self, verb: Verb) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(verb);
    }

    pub(crate) fn open(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Layer for Gate {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        let closed = *self.0.lock().unwrap_or_else(PoisonError::into_inner) == Some(operation.verb);
        if closed {
            return Box::pin(async { Ok(Flow::cancel("the gate is closed")) });
        }
        next.run()
    }
}
