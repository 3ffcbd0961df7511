//! The form in which objects are shown: as they are, only their metadata, or as rows of a table.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    decode,
    failure::Failure,
    negotiate::{Convert, Format, Transform},
    protobuf,
    registry::Served,
    store::Stored,
    table::{self, IncludeObject},
    verbs::{Shown, list::Listed, strategy, watch::Event},
};

/// The form in which the objects of a resource are shown.
pub(super) struct Form {
    pub(super) served: Arc<Served>,
    /// What objects become before they are shown.
    pub(super) convert: Option<Convert>,
    /// How events are written; objects and lists are JSON, which the answer turns into what is wanted.
    pub(super) format: Format,
    /// Whether an event has shown the columns of the table already.
    pub(super) has_headers: bool,
    /// How much of its object a row of a table has.
    pub(super) include: IncludeObject,
    pub(super) now: Timestamp,
}

impl Form {
    /// One object.
    pub(super) fn object(&self, object: &Shown) -> Result<Vec<u8>, Failure> {
        if self.wants(Transform::PartialObjectMetadataList) {
            let object = self.go_type("");
            return Err(not_acceptable(format!(
                "you requested PartialObjectMetadataList, but the requested object is not a list ({object})"
            )));
        }
        Ok(match (object, self.convert) {
            (Shown::Stored(stored), None) if !self.served.converts => {
                stored.json(&self.served.api_version, &self.served.kind)
            }
            (Shown::Stored(stored), _) => self.converted(&self.stored(stored)).to_string().into_bytes(),
            (Shown::Value(value), _) => self.converted(value).to_string().into_bytes(),
        })
    }

    /// Whether the events can be written in the form that is asked for.
    pub(super) fn has_protobuf(&self) -> bool {
        let known = protobuf::is_known(&self.served.api_version, &self.served.kind);
        self.format != Format::Protobuf || known || self.convert.is_some()
    }

    /// Whether an event has this form at all: that of a list it does not have, and the real server ends the watch over it.
    pub(super) fn has_events(&self) -> bool {
        !self.wants(Transform::PartialObjectMetadataList)
    }

    /// A document that is no object of the resource; one that people list, which only a `Scale` is, can be a table.
    pub(super) fn document(&self, document: &Value) -> Value {
        let Some(convert) = self.convert.filter(|_| document["kind"] == "Scale") else {
            return document.clone();
        };
        let version = meta_version(convert);
        if convert.to != Transform::Table {
            return table::metadata_only(&version, document);
        }
        let columns = table::scale_columns();
        let rows = table::rows("autoscaling", "Scale", std::slice::from_ref(document), self.now);
        table::table(&version, Some(&columns), rows, &document["metadata"], self.include)
    }

    fn wants(&self, transform: Transform) -> bool {
        self.convert.is_some_and(|convert| convert.to == transform)
    }

    /// What the real server's errors call an object, or a list of them.
    fn go_type(&self, list: &str) -> String {
        match self.served.custom() {
            Some(_) => format!("*unstructured.Unstructured{list}"),
            None => format!(
                "*{}.{}{list}",
                decode::internal_package(&self.served.group),
                self.served.kind
            ),
        }
    }

    /// Objects.
    pub(super) fn list(&self, listed: &Listed) -> Result<Vec<u8>, Failure> {
        let mut metadata = metadata(listed);
        let Some(convert) = self.convert else {
            // A list without a Go type says that it does not go on.
            if self.served.custom().is_some() && listed.continue_.is_empty() {
                metadata["continue"] = "".into();
            }
            return Ok(self.plain_list(listed, &metadata));
        };
        if self.wants(Transform::PartialObjectMetadata) {
            let list = self.go_type("List");
            return Err(not_acceptable(format!(
                "you requested PartialObjectMetadata, but the requested object is a list ({list})"
            )));
        }
        let objects: Vec<_> = listed.objects.iter().map(|stored| self.stored(stored)).collect();
        let version = meta_version(convert);
        let list = match convert.to {
            Transform::Table => self.table(&version, &objects, &metadata),
            _ => table::metadata_list(&version, &objects, &metadata),
        };
        Ok(list.to_string().into_bytes())
    }

    fn plain_list(&self, listed: &Listed, metadata: &Value) -> Vec<u8> {
        let size: usize = listed.objects.iter().map(|stored| stored.len() + 96).sum();
        let mut bytes = Vec::with_capacity(size + 256);
        let head =
            json!({ "kind": self.served.list_kind, "apiVersion": self.served.api_version, "metadata": metadata });
        bytes.extend_from_slice(head.to_string().trim_end_matches('}').as_bytes());
        // The metadata's own bracket was cut off with the list's.
        bytes.extend_from_slice(b"},\"items\":[");
        // The items of a list of a built-in kind do not repeat what they are.
        let (api_version, kind) = match self.served.custom() {
            Some(_) => (&*self.served.api_version, &*self.served.kind),
            None => ("", ""),
        };
        for (index, stored) in listed.objects.iter().enumerate() {
            if index > 0 {
                bytes.push(b',');
            }
            if self.served.converts {
                let mut value = self.stored(stored);
                if kind.is_empty() {
                    let object = value.as_object_mut();
                    object.into_iter().for_each(|object| {
                        object.remove("kind");
                        object.remove("apiVersion");
                    });
                }
                bytes.extend_from_slice(value.to_string().as_bytes());
            } else {
                stored.write_to(&mut bytes, api_version, kind);
            }
        }
        bytes.extend_from_slice(b"]}");
        bytes
    }

    /// One event of a watch, with what ends it.
    pub(super) fn write_event(&mut self, into: &mut Vec<u8>, event: &Event) {
        let name = match event {
            Event::Added(_) => "ADDED",
            Event::Modified(_) => "MODIFIED",
            Event::Deleted(_) => "DELETED",
            Event::Bookmark { .. } => "BOOKMARK",
            Event::Error(_) => "ERROR",
        };
        if self.format == Format::Protobuf {
            let mut json = Vec::new();
            self.write_object(&mut json, event);
            let object = serde_json::from_slice::<Value>(&json).map_err(|error| error.to_string());
            match object.and_then(|object| protobuf::encode(&object).map_err(|error| error.to_string())) {
                Ok(object) => into.extend_from_slice(&protobuf::watch_event(name, &object)),
                // Every kind that is watched in protobuf can be written so: `has_protobuf` has been asked.
                Err(error) => tracing::error!(error, "an event was left out"),
            }
        } else {
            into.extend_from_slice(b"{\"type\":\"");
            into.extend_from_slice(name.as_bytes());
            into.extend_from_slice(b"\",\"object\":");
            self.write_object(into, event);
            into.extend_from_slice(b"}\n");
        }
        self.has_headers = true;
    }

    fn write_object(&self, into: &mut Vec<u8>, event: &Event) {
        let object = match event {
            Event::Bookmark { version, initial_end } => self.bookmark(*version, *initial_end),
            Event::Error(failure) => failure.status(),
            Event::Added(object) | Event::Modified(object) | Event::Deleted(object) => {
                if self.convert.is_none() && !self.served.converts {
                    return object.write_to(into, &self.served.api_version, &self.served.kind);
                }
                self.converted(&self.stored(object))
            }
        };
        into.extend_from_slice(object.to_string().as_bytes());
    }

    /// An empty object of the kind with this version.
    fn bookmark(&self, version: u64, initial_end: bool) -> Value {
        let mut metadata = json!({ "resourceVersion": version.to_string() });
        if initial_end {
            metadata["annotations"] = json!({ "k8s.io/initial-events-end": "true" });
        }
        let (api_version, kind) = (&self.served.api_version, &self.served.kind);
        let mut object = json!({ "kind": kind, "apiVersion": api_version, "metadata": metadata });
        if self.served.custom().is_none()
            && let Ok(mut canonical) = decode::canonical(&object, self.served.schema.get())
        {
            (canonical["kind"], canonical["apiVersion"]) = (object["kind"].take(), object["apiVersion"].take());
            object = canonical;
            // Their replicas are a number, not a pointer to one, within the real server.
            if &*self.served.group == "apps" && matches!(&**kind, "Deployment" | "ReplicaSet" | "StatefulSet") {
                object["spec"]["replicas"] = 0.into();
            }
        }
        self.converted(&object)
    }

    fn converted(&self, object: &Value) -> Value {
        let Some(convert) = self.convert else {
            return object.clone();
        };
        let version = meta_version(convert);
        match convert.to {
            Transform::Table => {
                // A rehearsed creation has no version.
                let version_of = object["metadata"].get("resourceVersion");
                let metadata = version_of.map_or_else(|| json!({}), |version| json!({ "resourceVersion": version }));
                self.table(&version, std::slice::from_ref(object), &metadata)
            }
            _ => table::metadata_only(&version, object),
        }
    }

    fn table(&self, version: &str, objects: &[Value], metadata: &Value) -> Value {
        let columns = &self.served.columns;
        let rows = match self.served.custom() {
            Some(_) => columns.rows(objects, self.now),
            None => table::rows(&self.served.group, &self.served.kind, objects, self.now),
        };
        let headers = Some(columns.definitions()).filter(|_| !self.has_headers);
        let initial_end = |object: &Value| object["metadata"]["annotations"]["k8s.io/initial-events-end"].is_string();
        let include = match self.include {
            // The end of the initial objects is told in any case.
            IncludeObject::None if objects.iter().any(initial_end) => IncludeObject::Metadata,
            include => include,
        };
        table::table(version, headers, rows, metadata, include)
    }

    fn stored(&self, stored: &Stored) -> Value {
        strategy::show(&self.served, stored)
    }
}

fn not_acceptable(message: String) -> Failure {
    Failure::new(406, "NotAcceptable", message)
}

fn meta_version(convert: Convert) -> String {
    format!("meta.k8s.io/{}", convert.version)
}

fn metadata(listed: &Listed) -> Value {
    let mut metadata = json!({ "resourceVersion": listed.version.to_string() });
    if !listed.continue_.is_empty() {
        metadata["continue"] = listed.continue_.as_str().into();
    }
    if let Some(remaining) = listed.remaining {
        metadata["remainingItemCount"] = remaining.into();
    }
    metadata
}
