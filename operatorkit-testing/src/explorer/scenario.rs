//! What is explored: an operator, and the life of the objects that it looks after.

use std::{any::TypeId, fmt, sync::Arc};

use k8s_openapi::{
    NamespaceResourceScope, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{Resource, ResourceExt as _, api::ApiResource};
use serde::Serialize;
use serde_json::Value;

use super::{plan::Place, subject::Subject};

/// The namespace of objects that name none.
pub(super) const NAMESPACE: &str = "default";

/// A life of some objects, and the operator that looks after them: what an [`Explorer`](super::Explorer) runs again and again.
///
/// After each step it is waited until all is quiet; what is there then is compared with the undisturbed run.
#[derive(Clone)]
#[must_use = "a scenario does nothing before an `Explorer` runs it"]
pub struct Scenario {
    pub(super) name: String,
    pub(super) subject: Arc<dyn Fn() -> Subject + Send + Sync>,
    pub(super) crds: Vec<CustomResourceDefinition>,
    pub(super) given: Vec<Value>,
    pub(super) steps: Vec<Step>,
    pub(super) workloads: bool,
}

/// A kind that is known when the program is built.
pub trait Kind: Resource<DynamicType = (), Scope: 'static> {}

impl<K: Resource<DynamicType = (), Scope: 'static>> Kind for K {}

/// What a user of the cluster does.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Create(Target, Value),
    Change(Target, Value),
    /// A field, by its pointer, and all that it is from now on.
    Set(Target, String, Value),
    Delete(Target),
    Upgrade,
}

/// An object in a step.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) kind: ApiResource,
    pub(super) namespace: Option<String>,
    pub(super) name: String,
}

impl Scenario {
    /// A scenario without steps. Its name is what reports and seeds call it.
    ///
    /// `subject` is called once for each run: what it makes, such as a stand-in for a provider, lives for one run and survives the operator
    /// in it.
    pub fn new(name: impl Into<String>, subject: impl Fn() -> Subject + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            subject: Arc::new(subject),
            crds: Vec::new(),
            given: Vec::new(),
            steps: Vec::new(),
            workloads: false,
        }
    }

    /// Installs a CRD before each run.
    pub fn crd(mut self, crd: CustomResourceDefinition) -> Self {
        self.crds.push(crd);
        self
    }

    /// Makes an object before each run that the operator must leave as it is, if it is not that of a later step: a Secret that is
    /// read, say. Without a namespace it is in `default`.
    ///
    /// # Panics
    /// If it cannot be shown as JSON.
    pub fn given(mut self, object: &impl Serialize) -> Self {
        self.given.push(json(object));
        self
    }

    /// Runs the workload controllers and a stand-in kubelet: a Deployment becomes available. They cost time; default: nobody does it, and
    /// a workload is never ready.
    pub fn workloads(mut self) -> Self {
        self.workloads = true;
        self
    }

    /// Creates an object.
    ///
    /// # Panics
    /// If it has no name, or cannot be shown as JSON.
    pub fn create<K>(mut self, object: &K) -> Self
    where
        K: Kind + Serialize,
    {
        let target = Target::of::<K>(&object.name_any());
        let mut value = json(object);
        if let Some(namespace) = &target.namespace {
            value["metadata"]["namespace"] = namespace.as_str().into();
        }
        self.steps.push(Step::Create(target, value));
        self
    }

    /// Changes an object, by a merge patch.
    pub fn change<K: Kind>(mut self, name: &str, patch: Value) -> Self {
        self.steps.push(Step::Change(Target::of::<K>(name), patch));
        self
    }

    /// Deletes an object.
    pub fn delete<K: Kind>(mut self, name: &str) -> Self {
        self.steps.push(Step::Delete(Target::of::<K>(name)));
        self
    }

    /// The operator ends, and its next [version](Subject::upgraded) starts.
    pub fn upgrade(mut self) -> Self {
        self.steps.push(Step::Upgrade);
        self
    }

    /// The objects of the steps: what the operator looks after.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Target> {
        self.steps.iter().filter_map(|step| match step {
            Step::Create(target, _) => Some(target),
            _ => None,
        })
    }
}

fn json(object: &impl Serialize) -> Value {
    serde_json::to_value(object).unwrap_or_else(|error| panic!("an object of a scenario is no JSON: {error}"))
}

impl Target {
    fn of<K: Kind>(name: &str) -> Self {
        assert!(!name.is_empty(), "an object of a scenario needs a name");
        let namespaced = TypeId::of::<K::Scope>() == TypeId::of::<NamespaceResourceScope>();
        Self {
            kind: ApiResource::erase::<K>(&()),
            namespace: namespaced.then(|| NAMESPACE.to_owned()),
            name: name.to_owned(),
        }
    }

    /// `deployments.apps`.
    pub(super) fn resource(&self) -> String {
        qualified(&self.kind.plural, &self.kind.group)
    }

    pub(super) fn place(&self) -> Place {
        Place {
            resource: self.resource(),
            namespace: self.namespace.clone().unwrap_or_default(),
            name: self.name.clone(),
        }
    }
}

/// The plural, with the group if there is one.
pub(super) fn qualified(plural: &str, group: &str) -> String {
    if group.is_empty() {
        plural.to_owned()
    } else {
        format!("{plural}.{group}")
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create(target, _) => write!(f, "create {target}"),
            Self::Change(target, _) if target.resource() == "secrets" => write!(f, "change {target}"),
            Self::Change(target, patch) => write!(f, "change {target}: {patch}"),
            Self::Set(target, field, value) => write!(f, "set {field} of {target}: {value}"),
            Self::Delete(target) => write!(f, "delete {target}"),
            Self::Upgrade => write!(f, "upgrade the operator"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.resource(), self.name)
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario")
            .field("name", &self.name)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
