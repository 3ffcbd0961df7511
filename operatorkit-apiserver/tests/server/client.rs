//! A client in process: requests as they are, answers and events as they come.

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use operatorkit_apiserver::{ApiServer, ApiService, Body, Dropped};
use serde_json::Value;
use tower::ServiceExt as _;

/// Asks a server, and gives up with a panic where a test has nothing to say about a failure.
#[derive(Clone, Debug)]
pub(crate) struct Client(ApiService);

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// The body as JSON; `null` if it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body as text.
    pub(crate) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// The body of an answer that must have this code.
    #[track_caller]
    pub(crate) fn expect(self, code: u16) -> Value {
        assert_eq!(self.code, code, "{}", self.text());
        self.json()
    }
}

impl Client {
    pub(crate) fn of(server: &ApiServer) -> Self {
        Self(server.service())
    }

    pub(crate) fn new(service: ApiService) -> Self {
        Self(service)
    }

    /// Sends a request as it is; the answer before its body is read.
    pub(crate) async fn start(&self, request: Request<Full<Bytes>>) -> Result<Response<Body>, Dropped> {
        self.0.clone().oneshot(request).await
    }

    /// Sends a request and reads the answer.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Result<Answer, Dropped> {
        let (head, body) = self.start(request).await?.into_parts();
        Ok(Answer {
            code: head.status.as_u16(),
            headers: head.headers,
            body: body.collect().await?.to_bytes(),
        })
    }

    async fn answered(&self, request: Request<Full<Bytes>>) -> Answer {
        self.send(request).await.expect("an answer")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.answered(request(Method::GET, path, "", "")).await
    }

    pub(crate) async fn post(&self, path: &str, object: &Value) -> Answer {
        self.answered(json(Method::POST, path, object)).await
    }

    pub(crate) async fn put(&self, path: &str, object: &Value) -> Answer {
        self.answered(json(Method::PUT, path, object)).await
    }

    pub(crate) async fn merge(&self, path: &str, patch: &Value) -> Answer {
        let form = "application/merge-patch+json";
        self.answered(request(Method::PATCH, path, form, patch.to_string()))
            .await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.answered(request(Method::DELETE, path, "", "")).await
    }

    /// Begins a watch, which must be granted.
    pub(crate) async fn watch(&self, path: &str) -> Events {
        let response = self.start(request(Method::GET, path, "", "")).await.expect("an answer");
        assert_eq!(response.status(), 200);
        Events::of(response.into_body())
    }
}

/// A request with a body of this form.
pub(crate) fn request(method: Method, path: &str, form: &str, body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("user-agent", "test/1");
    if !form.is_empty() {
        request = request.header("content-type", form);
    }
    request.body(Full::new(body.into())).expect("a request")
}

/// A request with a body of JSON.
pub(crate) fn json(method: Method, path: &str, body: &Value) -> Request<Full<Bytes>> {
    request(method, path, "application/json", body.to_string())
}

/// The events of a watch.
#[derive(Debug)]
pub(crate) struct Events {
    body: Body,
    buffer: Vec<u8>,
}

/// How a watch goes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    Event(Value),
    End,
    Broken,
}

impl Events {
    pub(crate) fn of(body: Body) -> Self {
        Self {
            body,
            buffer: Vec::new(),
        }
    }

    pub(crate) async fn next(&mut self) -> Next {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                return Next::Event(serde_json::from_slice(&line).expect("a line of JSON"));
            }
            match self.body.frame().await {
                Some(Ok(frame)) => self.buffer.extend(frame.data_ref().into_iter().flatten()),
                Some(Err(Dropped)) => return Next::Broken,
                None => {
                    assert!(self.buffer.is_empty(), "half a line at the end");
                    return Next::End;
                }
            }
        }
    }

    /// The next event, which there must be.
    pub(crate) async fn event(&mut self) -> Value {
        match self.next().await {
            Next::Event(event) => event,
            other => panic!("no event but {other:?}"),
        }
    }

    /// The next event as `ADDED name`, or how the watch ends.
    pub(crate) async fn said(&mut self) -> String {
        match self.next().await {
            Next::Event(event) => said(&event),
            other => format!("{other:?}"),
        }
    }

    /// The next events as `ADDED name`, …
    pub(crate) async fn take(&mut self, count: usize) -> Vec<String> {
        let mut events = Vec::new();
        for _ in 0..count {
            events.push(self.said().await);
        }
        events
    }
}

/// `ADDED name`; of an error the code.
pub(crate) fn said(event: &Value) -> String {
    let kind = event["type"].as_str().expect("a type");
    let what = match kind {
        "ERROR" => event["object"]["code"].to_string(),
        _ => event["object"]["metadata"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
    };
    format!("{kind} {what}").trim_end().to_owned()
}
