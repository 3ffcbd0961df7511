//! The request of a step, with what is known of the objects put in.

use operatorkit::serde_json::{Map, Value, json};
use proptest::sample::Index;

use self::body::remove_name;
use super::{
    kind::{Kind, NOBODY},
    side::Seen,
    step::{Act, ListVersion, Meets, Policy, Select, Step, Uid, Version},
};
use crate::server::Ask;

mod body;
mod query;

const NAMES: [&str; 30] = [
    "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b", "b", "b", "b",
    "c", "c", "c", "c", "c", "c", "Bad_",
];
const MANAGERS: [&str; 3] = ["m1", "m2", "m3"];
const VALIDATION: [&str; 4] = ["Strict", "Warn", "Ignore", "Bad"];
const ACCEPT: [&str; 4] = [
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/yaml",
];

/// Which of the names a step is about.
pub(super) fn name(step: &Step) -> &'static str {
    one(step.name, &NAMES)
}

/// The request of a step; of a watch, the one that starts it.
pub(super) fn of(step: &Step, kind: &Kind, namespace: &str, seen: &Seen) -> Ask {
    let writer = Writer {
        step,
        kind,
        seen,
        name: name(step),
        path: kind.path(namespace),
    };
    let ask = writer.ask().header("user-agent", "differential/1");
    match step.options.accept {
        Some(accept) => ask.header("accept", one(accept, &ACCEPT)),
        None => ask,
    }
}

struct Writer<'a> {
    step: &'a Step,
    kind: &'a Kind,
    seen: &'a Seen,
    name: &'static str,
    path: String,
}

impl Writer<'_> {
    fn ask(&self) -> Ask {
        match &self.step.act {
            Act::Create { named, edits } => {
                let mut body = self.whole();
                // Which error comes first without a name depends on whether there are IPAddresses.
                if !named && self.kind.kind != "Service" {
                    remove_name(&mut body);
                }
                self.edit(&mut body, "", edits);
                self.written("POST", &self.path, "application/json", &body)
            }
            Act::Get { to } => Ask::new("GET", &self.object(self.sub(*to))),
            Act::List { select, limit, version } => {
                Ask::new("GET", &format!("{}?{}", self.path, self.list(select, *limit, version)))
            }
            Act::Update { to, seen, edits, meets } => {
                let sub = self.sub(*to);
                let last = self.seen.last(&self.kind.kind, self.name, sub).filter(|_| *seen);
                let mut body = last.cloned().unwrap_or_else(|| self.fresh(sub));
                self.edit(&mut body, sub, edits);
                self.meet(&mut body, meets);
                self.written("PUT", &self.object(sub), "application/json", &body)
            }
            Act::Json {
                to,
                edits,
                test,
                strange,
            } => {
                let sub = self.sub(*to);
                let body = self.operations(sub, edits, test.as_ref(), strange.as_ref());
                self.written("PATCH", &self.object(sub), "application/json-patch+json", &body)
            }
            Act::Merge { to, edits, meets } => {
                let sub = self.sub(*to);
                let body = self.patch(sub, edits, meets);
                self.written("PATCH", &self.object(sub), "application/merge-patch+json", &body)
            }
            Act::Strategic {
                to,
                edits,
                directives,
                meets,
            } => {
                let sub = self.sub(*to);
                let mut body = self.patch(sub, edits, meets);
                self.edit(&mut body, "directives", directives);
                self.written(
                    "PATCH",
                    &self.object(sub),
                    "application/strategic-merge-patch+json",
                    &body,
                )
            }
            Act::Apply {
                to,
                manager,
                force,
                whole,
                edits,
                meets,
            } => {
                let sub = self.sub(*to);
                let body = self.laid(sub, *whole, edits, meets);
                self.applied(sub, &body, *manager, *force)
            }
            Act::Delete { meets, policy, grace } => self.delete(meets, *policy, *grace),
            Act::DeleteCollection { select, policy } => self.delete_all(select, *policy),
            Act::Watch {
                select,
                from,
                bookmarks,
            } => self.watch(select, from, *bookmarks),
        }
    }

    fn sub(&self, to: Index) -> &str {
        // The object itself more often than its subresources.
        let subs = self.kind.subresources();
        let at = to.index(subs.len() + 3);
        subs.get(at.saturating_sub(3)).copied().unwrap_or_default()
    }

    fn object(&self, sub: &str) -> String {
        let slash = if sub.is_empty() { "" } else { "/" };
        format!("{}/{}{slash}{sub}", self.path, self.name)
    }

    /// The request of an apply says who asks, and whether they insist.
    fn applied(&self, sub: &str, body: &Value, manager: Index, force: bool) -> Ask {
        let mut ask = self.written("PATCH", &self.object(sub), "application/apply-patch+yaml", body);
        let query = if ask.path.contains('?') { '&' } else { '?' };
        if !ask.path.contains("fieldManager") {
            ask.path = format!("{}{query}fieldManager={}", ask.path, one(manager, &MANAGERS));
        }
        if force {
            ask.path.push_str("&force=true");
        }
        ask
    }

    fn delete_all(&self, select: &Select, policy: Policy) -> Ask {
        let query = self.list(select, None, &ListVersion::Unsaid);
        let mut path = format!("{}?{query}", self.path);
        if self.step.options.dry_run {
            path.push_str("&dryRun=All");
        }
        for (key, value) in policy_of(policy) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            path = format!("{path}&{key}={value}");
        }
        Ask::new("DELETE", &path)
    }

    fn version(&self, version: Version) -> Option<String> {
        let of = |at: usize| {
            self.seen
                .versions_of(&self.kind.kind, self.name)
                .rev()
                .nth(at)
                .map(str::to_owned)
        };
        match version {
            Version::Unsaid => None,
            Version::Current => of(0),
            Version::Stale => of(1),
            Version::One => Some("1".into()),
            Version::Bad => Some("bad".into()),
        }
    }

    fn uid(&self, uid: Uid) -> Option<String> {
        match uid {
            Uid::Unsaid => None,
            Uid::Right => Some(
                self.seen.last(&self.kind.kind, self.name, "")?["metadata"]["uid"]
                    .as_str()?
                    .to_owned(),
            ),
            Uid::Wrong => Some(NOBODY.into()),
        }
    }

    /// A request with a body, and with what all of those may say.
    fn written(&self, method: &str, path: &str, content_type: &str, body: &Value) -> Ask {
        let options = &self.step.options;
        let mut query = Vec::new();
        query.extend(options.dry_run.then_some("dryRun=All".to_owned()));
        query.extend(
            options
                .validation
                .map(|it| format!("fieldValidation={}", one(it, &VALIDATION))),
        );
        query.extend(options.manager.map(|it| format!("fieldManager={}", one(it, &MANAGERS))));
        let query = query.join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        let mut ask = Ask::new(method, &format!("{path}{mark}{query}")).header("content-type", content_type);
        let mut text = body.to_string();
        if options.twice && body.get("kind").is_some() {
            text = text.replacen('{', &format!("{{\"kind\":\"{}\",", self.kind.kind), 1);
        }
        ask.body = text.into_bytes();
        ask
    }

    fn delete(&self, meets: &Meets, policy: Policy, grace: Option<u8>) -> Ask {
        let mut options = policy_of(policy);
        if let Some(grace) = grace {
            options.insert("gracePeriodSeconds".into(), grace.into());
        }
        let mut preconditions = Map::new();
        // The finalizers of a policy are the garbage collector's, which changes the version while it looks.
        let version = self.version(meets.version).filter(|_| matches!(policy, Policy::Unsaid));
        if let Some(version) = version {
            preconditions.insert("resourceVersion".into(), version.into());
        }
        if let Some(uid) = self.uid(meets.uid) {
            preconditions.insert("uid".into(), uid.into());
        }
        if !preconditions.is_empty() {
            options.insert("preconditions".into(), preconditions.into());
        }
        // The real server shows nothing of an object whose finalizer a rehearsal would take.
        if self.step.options.dry_run && matches!(policy, Policy::Unsaid) {
            options.insert("dryRun".into(), json!(["All"]));
        }
        let ask = Ask::new("DELETE", &self.object(""));
        if options.is_empty() {
            ask
        } else {
            ask.json(&options.into())
        }
    }
}

fn policy_of(policy: Policy) -> Map<String, Value> {
    let options = match policy {
        Policy::Unsaid => json!({}),
        Policy::Background => json!({"propagationPolicy": "Background"}),
        Policy::Foreground => json!({"propagationPolicy": "Foreground"}),
        Policy::Orphan => json!({"propagationPolicy": "Orphan"}),
        Policy::Both => json!({"propagationPolicy": "Background", "orphanDependents": true}),
        Policy::Bad => json!({"propagationPolicy": "Bad"}),
    };
    options.as_object().cloned().unwrap_or_default()
}

fn one(index: Index, of: &[&'static str]) -> &'static str {
    of[index.index(of.len())]
}
