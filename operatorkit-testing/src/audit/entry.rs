//! One request in the audit log.

use std::fmt;

use k8s_openapi::{apimachinery::pkg::apis::meta::v1::MicroTime, jiff::Timestamp};
use serde::Deserialize;

/// The verbs that change something.
const WRITES: [&str; 5] = ["create", "update", "patch", "delete", "deletecollection"];

/// One request, as `audit.k8s.io/v1` describes it at the level Metadata.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Event")]
pub struct Entry {
    /// The API server's name for the request.
    pub id: String,
    /// Who asked.
    pub user: String,
    /// What the client calls itself; may be empty.
    pub agent: String,
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the HTTP method in small letters where the
    /// path is not a resource's.
    pub verb: String,
    /// Path and query.
    pub uri: String,
    /// What was asked about; empty where the path is not a resource's.
    pub object: ObjectRef,
    /// The HTTP status of the answer; 0 if there was none.
    pub code: u16,
    /// When the API server received it, to the microsecond.
    pub received: Timestamp,
    /// `ResponseComplete`, `ResponseStarted` (a watch that runs), or `Panic`.
    pub stage: String,
}

/// What a request is about. Parts that it does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectRef {
    /// The API group; empty for the core group.
    pub api_group: String,
    /// The API version, without the group.
    pub api_version: String,
    /// The plural, in small letters.
    pub resource: String,
    /// `status`, `scale`, `binding`, … .
    pub subresource: String,
    /// The namespace.
    pub namespace: String,
    /// The object's name; empty for lists, and for creates that leave it to the server.
    pub name: String,
}

impl Entry {
    /// Does it ask for a change, whether or not it was granted?
    pub fn is_write(&self) -> bool {
        WRITES.contains(&self.verb.as_str())
    }

    /// Resource and subresource: `pods`, `pods/status`.
    pub fn resource(&self) -> String {
        match self.object.subresource.as_str() {
            "" => self.object.resource.clone(),
            sub => format!("{}/{sub}", self.object.resource),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {} by {}",
            self.received, self.verb, self.uri, self.code, self.user
        )
    }
}

/// The form on disk.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(rename = "auditID")]
    audit_id: String,
    stage: String,
    verb: String,
    #[serde(rename = "requestURI")]
    request_uri: String,
    user: User,
    #[serde(default)]
    user_agent: String,
    #[serde(default)]
    object_ref: ObjectRef,
    #[serde(default)]
    response_status: ResponseStatus,
    request_received_timestamp: MicroTime,
}

#[derive(Deserialize)]
struct User {
    username: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResponseStatus {
    code: u16,
}

impl From<Event> for Entry {
    fn from(event: Event) -> Self {
        Self {
            id: event.audit_id,
            user: event.user.username,
            agent: event.user_agent,
            verb: event.verb,
            uri: event.request_uri,
            object: event.object_ref,
            code: event.response_status.code,
            received: event.request_received_timestamp.0,
            stage: event.stage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_is_read() {
        let line = r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a-1","stage":"ResponseComplete",
            "requestURI":"/api/v1/namespaces/n/pods/p/status?fieldManager=x","verb":"patch","user":{"username":"operator","groups":["g"]},
            "sourceIPs":["127.0.0.1"],"userAgent":"kube/5","objectRef":{"resource":"pods","namespace":"n","name":"p","apiVersion":"v1",
            "subresource":"status"},"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-01-02T03:04:05.000006Z",
            "stageTimestamp":"2026-01-02T03:04:05.100000Z","annotations":{}}"#;
        let entry: Entry = serde_json::from_str(line).unwrap();
        assert_eq!(
            (entry.verb.as_str(), entry.resource().as_str(), entry.code),
            ("patch", "pods/status", 200)
        );
        assert_eq!((entry.user.as_str(), entry.agent.as_str()), ("operator", "kube/5"));
        assert_eq!(entry.received.subsec_microsecond(), 6);
        assert!(entry.is_write());
    }
}
