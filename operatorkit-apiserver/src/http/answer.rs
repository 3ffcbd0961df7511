//! What is answered: status, headers, bytes.

use std::borrow::Cow;

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Response,
    header::{ACCEPT, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER, VARY, WARNING},
};
use serde_json::Value;

use super::{body::Body, events::Watched};
use crate::{
    failure::Failure,
    negotiate::{self, Accepted, Format, encode},
    protobuf,
};

pub(super) const JSON: &str = "application/json";

/// What is answered.
pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) content_type: Cow<'static, str>,
    pub(super) headers: Vec<(HeaderName, String)>,
    pub(super) payload: Payload,
}

/// The bytes of an answer.
pub(super) enum Payload {
    Bytes(Bytes),
    /// A watch that has not begun to send.
    Watch(Box<Watched>),
    Stream(Body),
}

impl Answer {
    pub(super) fn bytes_of(code: u16, content_type: impl Into<Cow<'static, str>>, bytes: impl Into<Bytes>) -> Self {
        Self {
            code,
            content_type: content_type.into(),
            headers: Vec::new(),
            payload: Payload::Bytes(bytes.into()),
        }
    }

    pub(super) fn json(code: u16, body: &Value) -> Self {
        Self::bytes_of(code, JSON, format!("{body}\n"))
    }

    /// JSON in the form that was asked for: as YAML, for people, compressed.
    pub(super) fn encoded(code: u16, json: Vec<u8>, accepted: &Accepted, request: &HeaderMap) -> Result<Self, Failure> {
        let mut content_type = accepted.content_type();
        let as_json = |mut json: Vec<u8>| -> Result<Vec<u8>, Failure> {
            if accepted.pretty {
                return Ok(encode::json(&parsed(&json)?, true));
            }
            json.push(b'\n');
            Ok(json)
        };
        let bytes = match accepted.format {
            Format::Yaml => encode::yaml(&parsed(&json)?)?,
            Format::Json => as_json(json)?,
            Format::Protobuf => match protobuf::encode(&parsed(&json)?) {
                Ok(bytes) => bytes,
                // What has no form in protobuf is JSON.
                Err(_) => {
                    content_type = JSON.into();
                    as_json(json)?
                }
            },
        };
        let (bytes, compressed) = encode::compress(bytes, request);
        let mut answer = Self::bytes_of(code, content_type, bytes);
        if compressed {
            answer.headers.push((CONTENT_ENCODING, "gzip".into()));
            answer.headers.push((VARY, "Accept-Encoding".into()));
        }
        Ok(answer)
    }

    /// A watch that has not begun to send.
    pub(super) fn watch(mut watched: Watched, accepted: &Accepted) -> Self {
        let content_type = if watched.form.has_protobuf() {
            accepted.watch_content_type()
        } else {
            watched.form.format = Format::Json;
            JSON.into()
        };
        Self {
            code: 200,
            content_type: content_type.into(),
            headers: Vec::new(),
            payload: Payload::Watch(Box::new(watched)),
        }
    }

    pub(super) fn text(code: u16, text: impl Into<String>) -> Self {
        Self::bytes_of(code, "text/plain; charset=utf-8", text.into())
    }

    /// The answer to a HEAD: what the answer to a GET would be, but for the bytes.
    pub(super) fn without_body(mut self) -> Self {
        self.payload = Payload::Bytes(Bytes::new());
        self
    }

    /// A refusal, in the form that the request accepts.
    pub(super) fn failure(failure: &Failure, request: &HeaderMap) -> Self {
        let accept = request.get(ACCEPT).and_then(|header| header.to_str().ok());
        let accepted = negotiate::accept_for_error(accept);
        let status = failure.status();
        let encoded = Self::encoded(failure.code, status.to_string().into_bytes(), &accepted, request);
        let mut answer = encoded.unwrap_or_else(|_| Self::json(failure.code, &status));
        if let Some(seconds) = failure.retry_after {
            answer.headers.push((RETRY_AFTER, seconds.to_string()));
        }
        answer
    }

    /// With a `Warning` header for each of these (RFC 7234, code 299).
    pub(super) fn with_warnings(mut self, warnings: Vec<String>) -> Self {
        let quoted = |text: String| {
            let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
            format!("299 - \"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        };
        self.headers
            .extend(warnings.into_iter().map(|warning| (WARNING, quoted(warning))));
        self
    }

    /// The bytes that are there already.
    pub(super) fn bytes(&self) -> Bytes {
        match &self.payload {
            Payload::Bytes(bytes) => bytes.clone(),
            Payload::Watch(_) | Payload::Stream(_) => Bytes::new(),
        }
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let body = match self.payload {
            Payload::Bytes(bytes) => Body::full(bytes),
            Payload::Stream(body) => body,
            Payload::Watch(_) => Body::full("the events of a watch are made into a body before it is answered"),
        };
        let mut response = Response::new(body);
        *response.status_mut() =
            http::StatusCode::from_u16(self.code).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        if !self.content_type.is_empty() {
            let content_type = HeaderValue::from_str(&self.content_type);
            headers.insert(CONTENT_TYPE, content_type.unwrap_or(HeaderValue::from_static(JSON)));
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
        for (name, value) in self.headers {
            // What a client has sent may stand in a warning; bytes that no header takes are left out.
            if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
                headers.append(name, value);
            }
        }
        response
    }
}

/// The answer to a request that fails.
pub(super) fn failure(failure: &Failure, request: &HeaderMap) -> Response<Body> {
    Answer::failure(failure, request).into_response()
}

fn parsed(json: &[u8]) -> Result<Value, Failure> {
    serde_json::from_slice(json).map_err(Failure::internal)
}
