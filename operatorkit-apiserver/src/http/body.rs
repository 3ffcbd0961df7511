//! The bytes of an answer, and the bytes of a request.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::{Stream, TryStreamExt as _};
use http_body::Frame;
use http_body_util::{BodyExt as _, Full, Limited, StreamBody, combinators::UnsyncBoxBody};

use crate::failure::Failure;

/// The longest body of a request: 3 MiB, as in the real server.
const LONGEST: usize = 3 << 20;

/// The connection is dropped by a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped;

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection was dropped by an injected fault")
    }
}

impl std::error::Error for Dropped {}

/// The body of an answer.
#[derive(Debug)]
pub struct Body(UnsyncBoxBody<Bytes, Dropped>);

impl Body {
    /// Bytes that are all there.
    pub fn full(bytes: impl Into<Bytes>) -> Self {
        Self(Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync())
    }

    /// Bytes as they come.
    pub fn stream(stream: impl Stream<Item = Result<Bytes, Dropped>> + Send + 'static) -> Self {
        Self(StreamBody::new(stream.map_ok(Frame::data)).boxed_unsync())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Dropped;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Dropped>>> {
        Pin::new(&mut self.get_mut().0).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.0.size_hint()
    }
}

/// All bytes of a request.
///
/// # Errors
///
/// 413 for too many, 400 if they do not arrive.
pub(crate) async fn collect<B>(body: B) -> Result<Bytes, Failure>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let collected = Limited::new(body, LONGEST).collect().await;
    collected.map(http_body_util::Collected::to_bytes).map_err(|error| {
        if error.downcast_ref::<http_body_util::LengthLimitError>().is_some() {
            return Failure::too_large(format!("Request entity too large: limit is {LONGEST}"));
        }
        Failure::bad_request(format!("the body of the request could not be read: {error}"))
    })
}
