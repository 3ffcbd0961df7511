//! What an operator is to the runtime: the trait that `#[operator]` implements.

use std::fmt::Debug;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    cluster::StaticScope,
    graph::{Graph, Meta, Outline},
    layer::Layers,
    record::operator_name,
    status::Status,
};

/// The kind of an operator: any typed Kubernetes kind, own or existing.
///
/// Implemented for every type that fits; users never implement it.
pub trait Object:
    kube::Resource<DynamicType = (), Scope: StaticScope>
    + Clone
    + Debug
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
}

impl<K> Object for K where
    K: kube::Resource<DynamicType = (), Scope: StaticScope>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}

/// The user's part of a status: what `status = …` names, or [`NoStatus`](crate::status::NoStatus).
///
/// Implemented for every type that fits; users never implement it.
pub trait UserStatus: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<T> UserStatus for T where T: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {}

/// What reconciles one kind: its name, which objects it looks at, and its graph of resources.
///
/// `#[operator]` implements it; all that it emits can be written by hand.
pub trait Operator: Sized + Send + Sync + 'static {
    /// The kind that is reconciled: `Self` for an own kind, the existing kind for `for = …`.
    type Object: Object;
    /// The user's own status fields.
    type Status: UserStatus;
    /// The struct with one field per resource.
    type Resources: Resources<Operator = Self>;

    /// The operator's name, unique per cluster; `None` is `<plural>.<group>`.
    const NAME: Option<&'static str> = None;
    /// Which objects of the kind are this operator's.
    const SELECTOR: Selector = Selector::All;
    /// `formerly = [..]`: earlier names of this operator, as they are stored: what they left on objects and children
    /// is taken over.
    const FORMERLY: &'static [&'static str] = &[];
    /// `legacy_finalizers(..)`: finalizers of other programs that this operator succeeds, treated as its own. With one, Go operatorkit's annotation
    /// `operatorkit.giantswarm.io/paused` pauses, too.
    const LEGACY_FINALIZERS: &'static [&'static str] = &[];
    /// `orphans = ".."`: what becomes of children whose object is gone.
    const ORPHANS: Orphans = Orphans::Report;
    /// Further annotations that pause an object, by key and exact value. A pair decides alone about its key, also where that is
    /// one that pauses by default.
    const PAUSE: &'static [(&'static str, &'static str)] = &[];
    /// What becomes of the deletion of a paused object.
    const PAUSED_DELETION: PausedDeletion = PausedDeletion::Wait;
    /// A field selector that limits them further, in the syntax of `kubectl get --field-selector`.
    const FIELD_SELECTOR: Option<&'static str> = None;
    /// The resources in the order of `resources(..)`.
    const NODES: &'static [Meta];

    /// The CustomResourceDefinition of an own kind; `None` for an existing kind.
    fn crd() -> Option<CustomResourceDefinition> {
        None
    }

    /// The status of an object of an own kind; `None` for an existing kind, which reports by Events only.
    fn status(_object: &Self::Object) -> Option<&Status<Self::Status>> {
        None
    }

    /// The layers around the operations of resources that have none of their own; [`Metrics`](crate::layer::Metrics) and [`Trace`](crate::layer::Trace)
    /// by default.
    /// Called once, when the operator starts.
    fn layers() -> Layers {
        Layers::default()
    }

    /// The graph over the user's resources, in the order of [`NODES`](Self::NODES).
    fn graph(resources: Self::Resources) -> Graph<Self>;

    /// The same resources by their types alone, in the same order: what the command `rbac` goes by, which makes none. Without it that command
    /// is refused.
    fn outline() -> Outline<Self> {
        Outline::new()
    }
}

/// The struct of an operator's resources, one field each.
pub trait Resources: Sized + Send + 'static {
    /// The operator whose resources these are.
    type Operator: Operator<Resources = Self>;
}

/// Which objects of its kind an operator reconciles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// Every object of the kind.
    All,
    /// Those that a label selector matches, in the syntax of `kubectl get -l`.
    Labels(&'static str),
}

/// Whether an object may leave what the operator watches, and still be there.
pub(crate) fn has_selector<O: Operator>() -> bool {
    O::SELECTOR != Selector::All || O::FIELD_SELECTOR.is_some()
}

/// What becomes of marked children whose object is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orphans {
    /// They are reported in the log and left alone.
    #[default]
    Report,
    /// They are deleted.
    Delete,
}

/// What becomes of the deletion of a paused object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PausedDeletion {
    /// It waits for the end of the pause.
    Wait,
    /// The object is deleted as if it were not paused.
    Proceed,
}

/// The name of an operator: the `name` key, else `<plural>.<group>`, shortened with a hash where it is too long.
pub fn name_of<O: Operator>() -> String {
    match O::NAME {
        Some(name) => operator_name(name),
        None => {
            let plural = <O::Object as kube::Resource>::plural(&());
            let group = <O::Object as kube::Resource>::group(&());
            operator_name(&if group.is_empty() {
                plural.into_owned()
            } else {
                format!("{plural}.{group}")
            })
        }
    }
}
