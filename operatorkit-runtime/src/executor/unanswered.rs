//! Creations without an answer: the API server may carry them out when nobody looks any more.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{Pass, Running};
use crate::{cluster::Failure, flow::Wait, operator::Operator, store::ChildKey};

/// For so long the API server works on a request at most, by default (`--request-timeout`).
const WITHIN: Duration = Duration::from_mins(1);

/// A creation that had no answer.
#[derive(Debug)]
pub(super) struct Unanswered {
    child: String,
    given_up: Instant,
}

/// A creation on its way. Also a pass that is dropped meanwhile, by a layer's `Timeout` say, leaves behind that it had no answer.
struct OnItsWay<'a, O: Operator> {
    pass: &'a Pass<O>,
    child: &'a ChildKey,
    answered: bool,
}

impl<O: Operator> Drop for OnItsWay<'_, O> {
    fn drop(&mut self) {
        if !self.answered {
            let unanswered = Unanswered {
                child: self.child.to_string(),
                given_up: Instant::now(),
            };
            let pass = self.pass;
            pass.running
                .remember(&pass.uid, |memory| memory.unanswered = Some(unanswered));
        }
    }
}

/// Waits for the answer to the creation of a child.
pub(super) async fn creation<O: Operator, T>(
    pass: &Pass<O>,
    child: &ChildKey,
    answer: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut on_its_way = OnItsWay {
        pass,
        child,
        answered: false,
    };
    let answer = answer.await;
    on_its_way.answered = !answer.as_ref().is_err_and(Failure::may_come_late);
    answer
}

impl<O: Operator> Running<O> {
    /// Until a creation without an answer cannot come any more, the last look at the children of an object would be none.
    pub(super) fn may_still_be_created(&self, uid: &Arc<str>) -> Option<Wait> {
        self.remember(uid, |memory| {
            let unanswered = memory.unanswered.as_ref()?;
            let left = WITHIN.saturating_sub(unanswered.given_up.elapsed());
            if left.is_zero() {
                memory.unanswered = None;
                return None;
            }
            let message = format!(
                "the creation of {} had no answer, and the API server may still carry it out: the last look waits until it cannot",
                unanswered.child
            );
            Some(Wait::new(message).with_reason("CreationUnanswered").with_again(left))
        })
    }
}
