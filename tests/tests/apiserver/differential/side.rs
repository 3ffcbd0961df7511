//! One of the two servers in a case: what it was asked, what it answered, and what is known of its objects.

use std::{collections::BTreeMap, time::Duration};

use operatorkit::serde_json::{Value, json};
use proptest::sample::Index;
use tokio::sync::mpsc;

use super::{
    kind::{KINDS, Kind, said},
    request,
    step::{Act, Step},
};
use crate::{
    script::Reader,
    server::{Ask, Server, Watch},
};

/// The annotation of the object that ends every watch.
const MARK: &str = "differential.example.com/end";
/// How long the end of a watch may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a server has answered so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// By kind, name and subresource.
    objects: BTreeMap<(String, String, String), Vec<Value>>,
    versions: Vec<String>,
}

impl Seen {
    pub(super) fn last(&self, kind: &str, name: &str, sub: &str) -> Option<&Value> {
        let sub = if sub == "scale" { sub } else { "" };
        self.objects
            .get(&(kind.to_owned(), name.to_owned(), sub.to_owned()))?
            .last()
    }

    /// The versions that an object has had.
    pub(super) fn versions_of<'a>(
        &'a self,
        kind: &str,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = &'a str> + use<'a> {
        let seen = self.objects.get(&(kind.to_owned(), name.to_owned(), String::new()));
        seen.into_iter()
            .flatten()
            .filter_map(|object| object["metadata"]["resourceVersion"].as_str())
    }

    /// One of all versions.
    pub(super) fn version(&self, at: Index) -> Option<&str> {
        (!self.versions.is_empty()).then(|| at.get(&self.versions).as_str())
    }

    fn take(&mut self, value: &Value, kind: &Kind) {
        let Some(version) = value["metadata"]["resourceVersion"].as_str() else {
            return;
        };
        if self.versions.last().is_none_or(|last| last != version) {
            self.versions.push(version.to_owned());
        }
        let Some(name) = value["metadata"]["name"].as_str() else {
            return;
        };
        let sub = if value["kind"] == "Scale" { "scale" } else { "" };
        if sub.is_empty() && value["kind"] != kind.kind.as_str() {
            return;
        }
        let seen = self
            .objects
            .entry((kind.kind.clone(), name.to_owned(), sub.to_owned()))
            .or_default();
        let of = |value: &Value| value["metadata"]["resourceVersion"].clone();
        if seen.last().map(of) != Some(of(value)) {
            seen.push(value.clone());
        }
    }
}

/// A request as it is shown, and the lines of its answer.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) asked: String,
    pub(super) answered: Vec<String>,
}

/// A server in a case.
pub(super) struct Side {
    server: Server,
    namespace: String,
    seen: Seen,
    reader: Reader,
    watches: Vec<(String, &'static Kind, mpsc::UnboundedReceiver<Value>)>,
}

impl Side {
    pub(super) async fn new(server: &Server) -> Self {
        let namespace = server.namespace("differential").await;
        let mut reader = Reader::new(said());
        reader.name(&namespace, "{ns}");
        Self {
            server: server.clone(),
            namespace,
            seen: Seen::default(),
            reader,
            watches: Vec::new(),
        }
    }

    /// Does a step; a list is read to its last page.
    pub(super) async fn step(&mut self, step: &Step) -> Vec<Told> {
        let kind = kind(step);
        let ask = request::of(step, kind, &self.namespace, &self.seen);
        match &step.act {
            Act::Watch { .. } => {
                self.catch_up(kind).await;
                vec![self.watch(ask, kind).await]
            }
            Act::List { .. } => {
                self.catch_up(kind).await;
                self.pages(ask, kind).await
            }
            _ => vec![self.ask(&ask, kind, !step.options.dry_run).await.0],
        }
    }

    /// Waits until the real server's cache has seen what was written: lists and watches from there may be of the past otherwise.
    async fn catch_up(&self, kind: &Kind) {
        self.server.get(&kind.path(&self.namespace)).await;
    }

    async fn ask(&mut self, ask: &Ask, kind: &Kind, counts: bool) -> (Told, Value) {
        let asked = self.shown(ask);
        let answer = self.server.send(ask).await;
        let value = answer.value();
        if counts && answer.code < 300 {
            self.seen.take(&value, kind);
        }
        let answered = self.reader.answer(&answer);
        (Told { asked, answered }, value)
    }

    async fn pages(&mut self, first: Ask, kind: &Kind) -> Vec<Told> {
        let mut told = Vec::new();
        let mut ask = first.clone();
        loop {
            let (page, value) = self.ask(&ask, kind, true).await;
            told.push(page);
            let Some(next) = value["metadata"]["continue"].as_str().filter(|next| !next.is_empty()) else {
                return told;
            };
            let (path, query) = first.path.split_once('?').unwrap_or((&first.path, ""));
            let kept = query.split('&').filter(|part| !part.starts_with("resourceVersion"));
            ask.path = format!("{path}?{}&continue={next}", kept.collect::<Vec<_>>().join("&"));
        }
    }

    async fn watch(&mut self, ask: Ask, kind: &'static Kind) -> Told {
        let asked = self.shown(&ask);
        let mut watch = Watch::start(&self.server.admin, &ask).await;
        if watch.code != 200 {
            let body = watch.rest().await;
            let answer = crate::server::Answer {
                code: watch.code,
                headers: watch.headers,
                body,
            };
            return Told {
                asked,
                answered: self.reader.answer(&answer),
            };
        }
        let (send, receive) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(event) = watch.next().await {
                if send.send(event).is_err() {
                    break;
                }
            }
        });
        self.watches.push((asked.clone(), kind, receive));
        Told {
            asked,
            answered: vec!["=> 200".into()],
        }
    }

    /// The last requests: an object that ends the watches, and what there is of each kind.
    pub(super) async fn end(&mut self, kinds: &[&'static Kind]) -> Vec<Told> {
        let mut told = Vec::new();
        for kind in kinds {
            let path = kind.path(&self.namespace);
            told.push(self.ask(&Ask::new("GET", &path), kind, true).await.0);
            if !self.watches.iter().any(|(_, of, _)| of.kind == kind.kind) {
                continue;
            }
            let object = format!("{path}/a");
            let mut free = Ask::new("PATCH", &object).header("content-type", "application/merge-patch+json");
            free.body = json!({"metadata": {"finalizers": null}}).to_string().into_bytes();
            let delete =
                Ask::new("DELETE", &object).json(&json!({"gracePeriodSeconds": 0, "propagationPolicy": "Background"}));
            let mut mark = json!({
                "apiVersion": kind.api_version, "kind": kind.kind,
                "metadata": {"name": "a", "labels": {"app": "x", "tier": "front"}, "annotations": {MARK: "here"}},
            });
            for (key, value) in kind.minimal.as_object().into_iter().flatten() {
                mark[key] = value.clone();
            }
            for ask in [free, delete, Ask::new("POST", &path).json(&mark)] {
                told.push(self.ask(&ask, kind, true).await.0);
            }
        }
        told
    }

    /// What the watches have told, up to the marker.
    pub(super) async fn events(&mut self) -> Vec<Told> {
        let mut told = Vec::new();
        for (asked, _, mut receive) in std::mem::take(&mut self.watches) {
            let mut events = Vec::new();
            loop {
                let event = match tokio::time::timeout(PATIENCE, receive.recv()).await {
                    Ok(Some(event)) => event,
                    Ok(None) => json!({"type": "the stream ended"}),
                    Err(_) => json!({"type": "nothing more came"}),
                };
                let text = event.to_string();
                let last =
                    text.contains(MARK) || event["type"] == "the stream ended" || event["type"] == "nothing more came";
                // Bookmarks come by time, but for the one after the initial events.
                if event["type"] != "BOOKMARK" || text.contains("initial-events-end") {
                    events.push(event);
                }
                if last {
                    break;
                }
            }
            told.push(Told {
                asked,
                answered: self.reader.events(events),
            });
        }
        told
    }

    /// Gives back what there is only so much of: addresses and ports.
    pub(super) async fn clean(&self, kinds: &[&'static Kind]) {
        for kind in kinds.iter().filter(|kind| kind.kind == "Service") {
            let path = kind.path(&self.namespace);
            for name in ["a", "b", "c"] {
                let mut free =
                    Ask::new("PATCH", &format!("{path}/{name}")).header("content-type", "application/merge-patch+json");
                free.body = json!({"metadata": {"finalizers": null}}).to_string().into_bytes();
                self.server.send(&free).await;
            }
            self.server.send(&Ask::new("DELETE", &path)).await;
        }
    }

    fn shown(&mut self, ask: &Ask) -> String {
        let headers = ask.headers.iter().filter(|(name, _)| name != "user-agent");
        let headers: Vec<_> = headers.map(|(name, value)| format!("\n  @ {name}: {value}")).collect();
        let headers = headers.concat();
        let body = String::from_utf8_lossy(&ask.body);
        let text = format!("{} {}{headers}\n  {body}", ask.method, ask.path);
        self.reader.text(text.trim_end())
    }
}

/// The kind of a step.
pub(super) fn kind(step: &Step) -> &'static Kind {
    step.kind.get(KINDS.as_slice())
}
