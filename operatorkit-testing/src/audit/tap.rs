//! The log of the embedded server: its tap.

use std::collections::HashMap;

use operatorkit_apiserver::{
    ApiServer,
    access::Attributes,
    request::RequestInfo,
    tap::{self, Record},
};

use super::{Entry, ObjectRef, Requests, log::Mark};

/// A log in memory, written before the answer.
#[derive(Clone, Debug)]
pub(super) struct TapLog {
    server: ApiServer,
}

impl TapLog {
    pub(super) fn new(server: ApiServer) -> Self {
        Self { server }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            at: self.server.tap().mark(),
        }
    }

    pub(super) fn since(&self, mark: Mark) -> Requests {
        let records = self.server.tap().since(mark.at);
        let complete = records.first().is_none_or(|first| first.number == mark.at);
        assert!(complete, "the embedded server has forgotten requests after this mark");
        Requests::new(answered(records))
    }
}

/// What was asked and answered among these records.
fn answered(records: Vec<Record>) -> Vec<Entry> {
    let mut asked = HashMap::new();
    let mut entries = Vec::new();
    for record in records {
        let code = match &record.entry {
            tap::Entry::Request { .. } => {
                asked.insert(record.request, record);
                continue;
            }
            tap::Entry::Answer { code, .. } => *code,
            tap::Entry::Dropped { .. } => 0,
            tap::Entry::Event { .. } => continue,
        };
        entries.extend(asked.remove(&record.request).map(|request| entry(&request, code)));
    }
    entries
}

fn entry(request: &Record, code: u16) -> Entry {
    let info = request.info();
    let query = match &request.entry {
        tap::Entry::Request { query, .. } if !query.is_empty() => format!("?{query}"),
        _ => String::new(),
    };
    let watches = info.attributes.verb == "watch" && code == 200;
    Entry {
        id: request.request.to_string(),
        user: info.user.name.clone(),
        agent: info.user_agent.clone(),
        verb: info.attributes.verb.clone(),
        uri: path(info) + &query,
        object: object(request),
        code,
        received: request.at,
        stage: if watches { "ResponseStarted" } else { "ResponseComplete" }.into(),
    }
}

fn object(request: &Record) -> ObjectRef {
    let info = request.info();
    let attributes = info.attributes.clone();
    let mut object = ObjectRef {
        api_group: attributes.group,
        api_version: info.version.clone(),
        resource: attributes.resource,
        subresource: attributes.subresource,
        namespace: attributes.namespace,
        name: attributes.name,
    };
    // As the real server logs it when it knows it.
    if object.name.is_empty() && attributes.verb == "create" {
        let name = &request.json()["metadata"]["name"];
        name.as_str().unwrap_or_default().clone_into(&mut object.name);
    }
    object
}

fn path(info: &RequestInfo) -> String {
    let Attributes {
        group,
        resource,
        subresource,
        namespace,
        name,
        path,
        ..
    } = &info.attributes;
    if let Some(path) = path {
        return path.clone();
    }
    let mut text = if group.is_empty() {
        format!("/api/{}", info.version)
    } else {
        format!("/apis/{group}/{}", info.version)
    };
    // A namespace is in itself, but its path names it once.
    if !namespace.is_empty() && resource != "namespaces" {
        text.push_str("/namespaces/");
        text.push_str(namespace);
    }
    for part in [resource, name, subresource]
        .into_iter()
        .filter(|part| !part.is_empty())
    {
        text.push('/');
        text.push_str(part);
    }
    text
}
