//! A server under test at the level of HTTP: requests as they are, answers as they come.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderMap, Request};
use http_body_util::BodyExt as _;
use operatorkit::{
    kube::{self, Client, client::Body},
    serde_json::{self, Value, json},
};
use tokio::sync::mpsc;

/// What a server must offer to be tested.
pub(crate) trait Target: Send + Sync {
    /// Its name, in messages and in `@ differs`.
    fn name(&self) -> &'static str;
    /// A client with every right.
    fn admin(&self) -> Client;
    /// A client that says nothing of who it is, and to whom a bearer token can be given by a header.
    fn nobody(&self) -> Client;
    /// A user without any rights whom no other test has.
    fn stranger(&self) -> (String, Client);
    /// A fresh namespace, `<prefix>-<number>`.
    fn namespace<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, String>;
}

/// A server under test.
#[derive(Clone)]
pub(crate) struct Server {
    target: Arc<dyn Target>,
    /// A client with every right.
    pub(crate) admin: Client,
}

impl Server {
    pub(crate) fn new(target: Arc<dyn Target>) -> Self {
        let admin = target.admin();
        Self { target, admin }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.target.name()
    }

    pub(crate) fn nobody(&self) -> Client {
        self.target.nobody()
    }

    pub(crate) fn stranger(&self) -> (String, Client) {
        self.target.stranger()
    }

    pub(crate) async fn namespace(&self, prefix: &str) -> String {
        self.target.namespace(prefix).await
    }

    /// Sends a request as the user with every right.
    pub(crate) async fn send(&self, ask: &Ask) -> Answer {
        send(&self.admin, ask).await
    }

    /// `GET path`.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(&Ask::new("GET", path)).await
    }

    /// `POST path` with a JSON body.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&Ask::new("POST", path).json(body)).await
    }
}

/// A request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Ask {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self {
            method: method.into(),
            path: path.into(),
            ..Self::default()
        }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        let mut this = self.header("content-type", "application/json");
        this.body = body.to_string().into_bytes();
        this
    }
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body, JSON or YAML, as JSON; as a string if it is something else, and `null` if there is none.
    pub(crate) fn value(&self) -> Value {
        if self.body.is_empty() {
            return Value::Null;
        }
        if self.header("content-type") == Some("application/yaml") {
            let text = String::from_utf8_lossy(&self.body);
            return serde_saphyr::from_str(&text).unwrap_or_else(|err| format!("not YAML: {err}\n{text}").into());
        }
        serde_json::from_slice(&self.body).unwrap_or_else(|_| String::from_utf8_lossy(&self.body).into())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Sends a request and reads the whole answer; one that does not come, or breaks off, has the code 0 and says why.
pub(crate) async fn send(client: &Client, ask: &Ask) -> Answer {
    let whole = async {
        let (head, body) = start(client, ask).await?.into_parts();
        let body = body.collect().await;
        body.map(|body| Answer {
            code: head.status.as_u16(),
            headers: head.headers,
            body: body.to_bytes().to_vec(),
        })
    };
    let nothing = |why: String| Answer {
        code: 0,
        headers: HeaderMap::new(),
        body: why.into_bytes(),
    };
    match tokio::time::timeout(Duration::from_mins(1), whole).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(err)) => nothing(format!("no answer: {err}")),
        Err(_) => nothing("no answer within a minute".into()),
    }
}

async fn start(client: &Client, ask: &Ask) -> kube::Result<http::Response<Body>> {
    let mut request = Request::builder().method(ask.method.as_str()).uri(&ask.path);
    for (name, value) in &ask.headers {
        request = request.header(name, value);
    }
    let request = request.body(Body::from(ask.body.clone()));
    let request = request.unwrap_or_else(|err| panic!("{ask:?}: {err}"));
    client.send(request).await
}

/// The answer to a watch.
pub(crate) struct Watch {
    pub(crate) code: u16,
    pub(crate) headers: HeaderMap,
    frames: Frames,
    buffer: Vec<u8>,
}

/// What came of a body, or why it broke. It is taken as it comes, as a connection does: a server need not keep it for who reads later.
type Frames = mpsc::UnboundedReceiver<Result<Bytes, String>>;

fn taken(mut body: Body) -> Frames {
    let (sender, frames) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(frame) = body.frame().await {
            let broke = frame.is_err();
            let taken = frame.map(|frame| frame.into_data().unwrap_or_default());
            if sender.send(taken.map_err(|err| err.to_string())).is_err() || broke {
                return;
            }
        }
    });
    frames
}

impl Watch {
    /// Starts a watch: its events from this point on are there to be read.
    pub(crate) async fn start(client: &Client, ask: &Ask) -> Self {
        let answer = start(client, ask).await.unwrap_or_else(|err| panic!("{ask:?}: {err}"));
        let (head, body) = answer.into_parts();
        Self {
            code: head.status.as_u16(),
            headers: head.headers,
            frames: taken(body),
            buffer: Vec::new(),
        }
    }

    /// The next event; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                return Some(parsed(&line));
            }
            match self.frames.recv().await {
                Some(Ok(bytes)) => self.buffer.extend(bytes),
                Some(Err(err)) => return Some(format!("the stream broke: {err}").into()),
                None if self.buffer.is_empty() => return None,
                None => return Some(parsed(&std::mem::take(&mut self.buffer))),
            }
        }
    }

    /// All that is still to come, as it is.
    pub(crate) async fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        while let Some(Ok(bytes)) = self.frames.recv().await {
            rest.extend(bytes);
        }
        rest
    }

    /// The next `count` events, or fewer if the stream ends or there is none for as long as `patience`.
    pub(crate) async fn take(&mut self, count: usize, patience: Duration) -> Vec<Value> {
        let mut events = Vec::new();
        while events.len() < count {
            match tokio::time::timeout(patience, self.next()).await {
                Ok(Some(event)) => events.push(event),
                Ok(None) => {
                    events.push(json!({"type": "the stream ended"}));
                    break;
                }
                Err(_) => {
                    events.push(json!({"type": "nothing more came"}));
                    break;
                }
            }
        }
        events
    }
}

fn parsed(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap_or_else(|_| String::from_utf8_lossy(line).into())
}
