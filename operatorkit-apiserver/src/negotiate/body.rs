//! Reads the body of a request.

use std::error::Error;

use bytes::{Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt;

use crate::failure::Failure;

/// Longer bodies are refused.
pub const MAX_BODY: usize = 3 * 1024 * 1024;

/// All of a body. `Content-Encoding` is not looked at: the real server takes no compressed bodies.
///
/// # Errors
///
/// 413 above 3 MiB; 400 if the client goes away in the middle.
pub async fn read_body<B>(body: B) -> Result<Bytes, Failure>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut body = std::pin::pin!(body);
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_large());
    }
    let mut first: Option<Bytes> = None;
    let mut all = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Failure::bad_request(error.into().to_string()))?;
        let Ok(data) = frame.into_data() else { continue };
        let length = all.len() + first.as_ref().map_or(0, Bytes::len) + data.len();
        if length > MAX_BODY {
            return Err(too_large());
        }
        match first.take() {
            // Most bodies are one frame, which needs no copy.
            None if all.is_empty() => first = Some(data),
            held => {
                all.extend_from_slice(held.as_deref().unwrap_or_default());
                all.extend_from_slice(&data);
            }
        }
    }
    Ok(first.unwrap_or_else(|| all.freeze()))
}

fn too_large() -> Failure {
    Failure::too_large(format!("Request entity too large: limit is {MAX_BODY}"))
}
