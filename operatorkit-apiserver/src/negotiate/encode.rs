//! Answers as bytes: JSON, YAML, gzip.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{
    HeaderMap, HeaderValue, Response, StatusCode,
    header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
};
use serde_json::Value;

use super::{Accepted, Format};
use crate::{failure::Failure, protobuf};

/// Shorter answers are not compressed.
pub const MIN_GZIP: usize = 128 * 1024;

/// A value as JSON, in one line as the real server ends it, or for people.
///
/// # Panics
///
/// Never: every value can be written.
pub fn json(value: &Value, pretty: bool) -> Vec<u8> {
    let bytes = if pretty {
        serde_json::to_vec_pretty(value)
    } else {
        serde_json::to_vec(value)
    };
    let mut bytes = bytes.expect("a value has only strings as keys");
    if !pretty {
        bytes.push(b'\n');
    }
    bytes
}

/// A value as YAML, keys in order.
///
/// # Errors
///
/// 500 if it cannot be written.
pub fn yaml(value: &Value) -> Result<Vec<u8>, Failure> {
    let mut text = serde_saphyr::to_string(value).map_err(Failure::internal)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// Does the client take gzip?
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).into_iter();
    let mut parts = values.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    parts.any(|part| part.split(';').next().unwrap_or_default().trim() == "gzip")
}

/// Bytes that are compressed if the client takes that and there are enough of them. `true`: they are compressed.
pub fn compress(bytes: Vec<u8>, request: &HeaderMap) -> (Bytes, bool) {
    if bytes.len() <= MIN_GZIP || !takes_gzip(request) {
        return (bytes.into(), false);
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 8), Compression::fast());
    match encoder.write_all(&bytes).and_then(|()| encoder.finish()) {
        Ok(compressed) => (compressed.into(), true),
        Err(_) => (bytes.into(), false),
    }
}

/// An answer with a value. What cannot be written in protobuf is written as JSON, and says so.
///
/// # Errors
///
/// 500 if it cannot be written.
pub fn respond(
    status: StatusCode,
    value: &Value,
    accepted: &Accepted,
    request: &HeaderMap,
) -> Result<Response<Bytes>, Failure> {
    let bytes = match accepted.format {
        Format::Json => json(value, accepted.pretty),
        Format::Yaml => yaml(value)?,
        Format::Protobuf => match protobuf::encode(value) {
            Ok(bytes) => bytes,
            Err(_) => {
                let bytes = json(value, accepted.pretty);
                return Ok(respond_bytes(status, bytes, Format::Json.media_type(), request));
            }
        },
    };
    Ok(respond_bytes(status, bytes, &accepted.content_type(), request))
}

/// An answer with these bytes.
pub fn respond_bytes(status: StatusCode, bytes: Vec<u8>, content_type: &str, request: &HeaderMap) -> Response<Bytes> {
    let (bytes, compressed) = compress(bytes, request);
    let mut response = Response::new(bytes);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let media_type =
        HeaderValue::from_str(content_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    if compressed {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.append(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    response
}
