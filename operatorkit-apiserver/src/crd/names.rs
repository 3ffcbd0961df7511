//! Whether the names of a CRD are free, and what its status says of it (`k8s.io/apiextensions-apiserver/pkg/controller`).
//!
//! Conditions have no `observedGeneration`: the feature gate for it is off in 1.37. `NonStructuralSchema` cannot be: a
//! schema that is not structural is refused.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    check::{
        approval::{self, Approval},
        condition, is_bundle,
    },
    structure::array,
};

/// The names that are taken in a group: those that each of its CRDs has been granted.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    resources: BTreeSet<String>,
    kinds: BTreeSet<String>,
}

impl Taken {
    /// The names that these CRDs have been granted. All are in one group.
    pub fn by<'a>(crds: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut taken = Self::default();
        for crd in crds {
            let names = &crd["status"]["acceptedNames"];
            let text = |name: &str| names[name].as_str().map(str::to_owned);
            let short = array(&names["shortNames"]).iter().filter_map(Value::as_str);
            taken
                .resources
                .extend(["plural", "singular"].iter().filter_map(|it| text(it)));
            taken.resources.extend(short.map(str::to_owned));
            taken
                .kinds
                .extend(["kind", "listKind"].iter().filter_map(|it| text(it)));
        }
        taken
    }
}

/// The statuses that a CRD goes through, one write after another, until nothing is left to be done: approved, its names
/// accepted or not, established. None where nothing changes. `taken`: the names of all CRDs in its group, its own among
/// them.
///
/// When a name becomes free, because a CRD of the group is deleted or renamed, the others of the group may go on.
pub fn statuses(crd: &Value, taken: &Taken, now: Timestamp) -> Vec<Value> {
    let mut crd = crd.clone();
    let mut statuses = Vec::new();
    for step in [approve, accept, establish] {
        let before = crd["status"].clone();
        step(&mut crd, taken, now);
        if crd["status"] != before {
            statuses.push(crd["status"].clone());
        }
    }
    statuses
}

/// The status of a CRD that is being deleted: at first with `InstanceDeletionPending`, then with
/// `InstanceDeletionInProgress` while its objects are deleted.
pub fn terminating(crd: &Value, in_progress: bool, now: Timestamp) -> Value {
    let mut crd = crd.clone();
    let (reason, message) = if in_progress {
        ("InstanceDeletionInProgress", "CustomResource deletion is in progress")
    } else {
        (
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        )
    };
    set_condition(&mut crd, "Terminating", "True", reason, message, now);
    crd["status"].take()
}

/// Whether objects of a CRD are served: it has been established.
pub fn is_established(crd: &Value) -> bool {
    condition(crd, "Established")
}

fn approve(crd: &mut Value, _taken: &Taken, now: Timestamp) {
    if !approval::is_protected(crd["spec"]["group"].as_str().unwrap_or_default()) {
        return;
    }
    let (approval, message) = approval::state(crd);
    let (status, reason) = match approval {
        Approval::Approved => ("True", "ApprovedAnnotation"),
        Approval::Bypassed => ("False", "UnapprovedAnnotation"),
        Approval::Missing => ("False", "MissingAnnotation"),
        Approval::Invalid => ("False", "InvalidAnnotation"),
    };
    set_condition(
        crd,
        "KubernetesAPIApprovalPolicyConformant",
        status,
        reason,
        &message,
        now,
    );
}

fn accept(crd: &mut Value, taken: &Taken, now: Timestamp) {
    let wanted = crd["spec"]["names"].clone();
    let mut accepted = crd["status"]["acceptedNames"].clone();
    if wanted == accepted {
        return;
    }
    let mut conflict = None;
    let fields = [
        ("plural", "PluralConflict", &taken.resources),
        ("singular", "SingularConflict", &taken.resources),
        ("shortNames", "ShortNamesConflict", &taken.resources),
        ("kind", "KindConflict", &taken.kinds),
        ("listKind", "ListKindConflict", &taken.kinds),
    ];
    for (name, reason, taken) in fields {
        match in_use(&wanted[name], &accepted[name], taken) {
            Some(message) => conflict = Some((reason, message)),
            None => grant(&mut accepted, name, &wanted[name]),
        }
    }
    grant(&mut accepted, "categories", &wanted["categories"]);
    crd["status"]["acceptedNames"] = accepted;
    let free = conflict.is_none();
    let (status, reason, message) = match &conflict {
        Some((reason, message)) => ("False", *reason, message.as_str()),
        None => ("True", "NoConflicts", "no conflicts found"),
    };
    set_condition(crd, "NamesAccepted", status, reason, message, now);
    if condition(crd, "Established") {
        return;
    }
    let known = array(&crd["status"]["conditions"])
        .iter()
        .any(|it| it["type"] == "Established");
    if free {
        let message = "the initial names have been accepted";
        set_condition(crd, "Established", "False", "Installing", message, now);
    } else if !known {
        set_condition(
            crd,
            "Established",
            "False",
            "NotAccepted",
            "not all names are accepted",
            now,
        );
    }
}

/// Why a name, or one of several, is not free.
fn in_use(wanted: &Value, accepted: &Value, taken: &BTreeSet<String>) -> Option<String> {
    let message = |name: &str| format!("{name:?} is already in use");
    if let Some(name) = wanted.as_str() {
        return (wanted != accepted && taken.contains(name)).then(|| message(name));
    }
    let wanted = array(wanted).iter().filter(|it| !array(accepted).contains(it));
    let mut used: Vec<String> = Vec::new();
    for name in wanted.filter_map(Value::as_str).filter(|it| taken.contains(*it)) {
        let message = message(name);
        if !used.contains(&message) {
            used.push(message);
        }
    }
    match used.len() {
        0 => None,
        1 => used.pop(),
        _ => Some(format!("[{}]", used.join(", "))),
    }
}

fn grant(accepted: &mut Value, name: &str, wanted: &Value) {
    let Some(accepted) = accepted.as_object_mut() else {
        return;
    };
    if wanted.is_null() || wanted.as_array().is_some_and(Vec::is_empty) {
        accepted.remove(name);
    } else {
        accepted.insert(name.into(), wanted.clone());
    }
}

fn establish(crd: &mut Value, _taken: &Taken, now: Timestamp) {
    if !condition(crd, "NamesAccepted") || condition(crd, "Established") {
        return;
    }
    let bundle = &crd["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"];
    if bundle.as_str().is_some_and(|it| !it.is_empty()) && !is_bundle(bundle) {
        let message = "The conversion webhook CABundle is invalid";
        set_condition(crd, "Established", "False", "InvalidCABundle", message, now);
    } else {
        let message = "the initial names have been accepted";
        set_condition(crd, "Established", "True", "InitialNamesAccepted", message, now);
    }
}

/// Sets a condition. Its time changes only with its status.
fn set_condition(crd: &mut Value, type_: &str, status: &str, reason: &str, message: &str, now: Timestamp) {
    if !crd["status"]["conditions"].is_array() {
        crd["status"]["conditions"] = json!([]);
    }
    let Some(conditions) = crd["status"]["conditions"].as_array_mut() else {
        return;
    };
    let mut condition = json!({
        "type": type_, "status": status, "reason": reason, "message": message,
        "lastTransitionTime": now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    });
    match conditions.iter_mut().find(|it| it["type"] == type_) {
        Some(old) => {
            if old["status"] == status {
                condition["lastTransitionTime"] = old["lastTransitionTime"].clone();
            }
            *old = condition;
        }
        None => conditions.push(condition),
    }
}
