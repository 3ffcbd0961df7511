//! The body of an answer: a watch ends with the server, and an error takes the connection along.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// A body that knows when the server stops, and how to end the connection.
pub(super) struct Guarded<B> {
    body: Pin<Box<B>>,
    stopping: Pin<Box<WaitForCancellationFutureOwned>>,
    cut: CancellationToken,
    done: bool,
}

impl<B: Body> Guarded<B> {
    pub(super) fn new(body: B, stopping: WaitForCancellationFutureOwned, cut: CancellationToken) -> Self {
        Self {
            body: Box::pin(body),
            stopping: Box::pin(stopping),
            cut,
            done: false,
        }
    }
}

impl<B> Body for Guarded<B>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.done {
            return Poll::Pending;
        }
        match self.body.as_mut().poll_frame(context) {
            Poll::Ready(Some(Err(error))) => {
                tracing::debug!(error = &*error.into(), "an answer ends in the middle");
                self.done = true;
                // What was sent so far is flushed while this body waits; then the connection goes.
                self.cut.cancel();
                Poll::Pending
            }
            Poll::Ready(frame) => Poll::Ready(frame.map(|it| it.map_err(|_| unreachable!("errors are taken above")))),
            // A body of known length is not cut short: it would look broken.
            Poll::Pending if self.body.size_hint().exact().is_some() => Poll::Pending,
            Poll::Pending => {
                ready!(self.stopping.as_mut().poll(context));
                Poll::Ready(None)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        !self.done && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
