//! The fields that the built-in kinds are selected by, beside name and namespace (`AddFieldLabelConversionFunc` and
//! `ToSelectableFields` of `k8s.io/kubernetes`).

use serde_json::Value;

/// A field that objects are selected by.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its label: `status.phase`.
    pub label: &'static str,
    /// Its value in an object; the second argument is the label.
    pub read: fn(&Value, &str) -> String,
}

const fn at(label: &'static str) -> Field {
    Field { label, read: path }
}

const fn or_zero(label: &'static str) -> Field {
    let read = |object: &Value, label: &str| or(path(object, label), "0");
    Field { label, read }
}

const fn or_false(label: &'static str) -> Field {
    let read = |object: &Value, label: &str| or(path(object, label), "false");
    Field { label, read }
}

const POD: &[Field] = &[
    at("spec.nodeName"),
    at("spec.restartPolicy"),
    at("spec.schedulerName"),
    at("spec.serviceAccountName"),
    or_false("spec.hostNetwork"),
    at("status.phase"),
    at("status.podIP"),
    Field {
        label: "status.podIPs",
        // The label is known, and no object has a value for it.
        read: |_, _| String::new(),
    },
    at("status.nominatedNodeName"),
    Field {
        label: "spec.host",
        read: |pod, _| path(pod, "spec.nodeName"),
    },
];

const EVENT: &[Field] = &[
    at("involvedObject.kind"),
    at("involvedObject.namespace"),
    at("involvedObject.name"),
    at("involvedObject.uid"),
    at("involvedObject.apiVersion"),
    at("involvedObject.resourceVersion"),
    at("involvedObject.fieldPath"),
    at("reason"),
    at("reportingComponent"),
    at("type"),
    Field {
        label: "source",
        read: |event, _| or(path(event, "source.component"), &path(event, "reportingComponent")),
    },
];

// One store with `EVENT`: the same fields in the same order, by their other names.
const EVENTS_EVENT: &[Field] = &[
    at("regarding.kind"),
    at("regarding.namespace"),
    at("regarding.name"),
    at("regarding.uid"),
    at("regarding.apiVersion"),
    at("regarding.resourceVersion"),
    at("regarding.fieldPath"),
    at("reason"),
    at("reportingController"),
    at("type"),
];

/// The fields of a resource.
pub fn of(group: &str, _version: &str, plural: &str) -> &'static [Field] {
    match (group, plural) {
        ("", "pods") => POD,
        ("", "events") => EVENT,
        ("events.k8s.io", "events") => EVENTS_EVENT,
        ("", "namespaces") => const { &[at("status.phase")] },
        ("", "nodes") => const { &[or_false("spec.unschedulable")] },
        ("", "replicationcontrollers") => const { &[or_zero("status.replicas")] },
        ("", "secrets") => const { &[at("type")] },
        ("", "services") => const { &[at("spec.clusterIP"), at("spec.type")] },
        ("batch", "jobs") => {
            const {
                &[Field {
                    label: "status.successful",
                    read: |job, _| or(path(job, "status.succeeded"), "0"),
                }]
            }
        }
        ("certificates.k8s.io", "certificatesigningrequests" | "clustertrustbundles") => {
            const { &[at("spec.signerName")] }
        }
        ("certificates.k8s.io", "podcertificaterequests") => {
            const { &[at("spec.signerName"), at("spec.podName"), at("spec.nodeName")] }
        }
        ("resource.k8s.io", "resourceslices") => {
            const { &[at("spec.nodeName"), at("spec.driver"), at("spec.pool.name")] }
        }
        _ => &[],
    }
}

/// A resource, as far as field selectors mind.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'r> {
    /// The API group; empty for the core.
    pub group: &'r str,
    /// The version.
    pub version: &'r str,
    /// The plural name.
    pub plural: &'r str,
    /// The kind.
    pub kind: &'r str,
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
    /// Whether a CRD defines it.
    pub custom: bool,
}

impl Resource<'_> {
    /// Whether objects can be selected by `metadata.name` (all) or `metadata.namespace` (not some that are in none).
    pub fn has_metadata(&self, label: &str) -> bool {
        match label {
            "metadata.name" => true,
            "metadata.namespace" => self.namespaced || !(self.custom || self.is_particular()),
            _ => false,
        }
    }

    /// What the real server says of a label that is none.
    pub fn unsupported(&self, label: &str) -> String {
        let Self {
            group, version, kind, ..
        } = self;
        match (*group, self.plural) {
            ("batch", "jobs") => format!("field label {label:?} not supported for {kind}"),
            ("resource.k8s.io", "resourceslices") => {
                format!("field label not supported for {group}/{version}, Kind={kind}: {label}")
            }
            _ if self.custom || self.is_particular() => format!("field label not supported: {label}"),
            _ => format!("{label:?} is not a known field selector: only \"metadata.name\", \"metadata.namespace\""),
        }
    }

    /// Whether the kind has its own fields, and with them its own rules.
    fn is_particular(&self) -> bool {
        !of(self.group, self.version, self.plural).is_empty()
    }
}

/// The value at a path; empty if there is none.
fn path(object: &Value, path: &str) -> String {
    let mut value = object;
    for part in path.split('.') {
        match value.get(part) {
            Some(inner) => value = inner,
            None => return String::new(),
        }
    }
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn or(value: String, other: &str) -> String {
    if value.is_empty() { other.to_owned() } else { value }
}
