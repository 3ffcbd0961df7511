//! An operator whose graph is made at run time, from a description.

mod forms;

use std::sync::{Arc, atomic::AtomicBool};

use operatorkit::{
    Operator, Resources,
    graph::{Graph, Meta, Outline, runs},
    k8s_openapi::{
        api::core::v1::{ConfigMap, Secret, Service},
        apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    prelude::*,
    status::{NoStatus, Status},
};
use operatorkit_testing::explorer::Cloud;

use self::forms::{Deed, Made, Thing};

/// How many places a graph has.
pub(crate) const PLACES: usize = 6;
const NAMES: [&str; PLACES] = ["a", "b", "c", "d", "e", "f"];

/// The kind; its graph is not that of the attribute, but that of [`Random`].
#[operator(
    group = "demo.operatorkit.dev",
    version = "v1",
    kind = "Garden",
    namespaced,
    resources(Nothing)
)]
pub(crate) struct GardenSpec {
    pub(crate) changed: bool,
}

#[resource]
struct Nothing;

impl Step for Nothing {
    type Operator = Garden;
    type Output = ();

    async fn ensure_created(&self, _: &Garden, _: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    ConfigMap,
    /// A `ConfigMap` that cannot be changed, so that it is made again.
    Immutable,
    Secret,
    Service,
    External,
    Step,
}

/// A resource of a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) form: Form,
    pub(crate) order: i64,
    pub(crate) delete_order: i64,
    /// How many children there are before the change and after it.
    pub(crate) children: [usize; 2],
    /// It waits once for some seconds.
    pub(crate) waits: bool,
    /// What it made is left behind.
    pub(crate) keeps: bool,
    pub(crate) next: Next,
}

/// What becomes of a resource in the next version of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Stays,
    /// It has another order and another delete order.
    Moves(i64, i64),
    /// It is there no more; what is undone by code is retired.
    Leaves,
    /// It is there from that version on.
    Comes,
}

impl Place {
    /// As it is in a version of the operator, if it is there; the second is the next.
    fn in_version(mut self, next: bool) -> Option<(Self, Meta)> {
        let mut meta = Meta::new("");
        match self.next {
            Next::Comes if !next => return None,
            Next::Moves(order, delete_order) if next => (self.order, self.delete_order) = (order, delete_order),
            Next::Leaves if next && matches!(self.form, Form::External | Form::Step) => meta = meta.retired(),
            Next::Leaves if next => return None,
            _ => {}
        }
        Some((self, meta.order(self.order).delete_order(self.delete_order)))
    }
}

/// What survives the operator in a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    pub(crate) cloud: Arc<Cloud>,
    waited: Arc<[AtomicBool; PLACES]>,
}

/// The operator over any such graph.
pub(crate) struct Random;

/// The resources of a graph in one version, each with its slot; a slot keeps its name in all versions.
#[derive(Clone, Debug)]
pub(crate) struct Version(Arc<[(usize, Place, &'static Meta)]>);

impl Version {
    /// Where the resources stand is left in memory: a description is drawn some dozen times in a test.
    pub(crate) fn of(places: &[Place], next: bool) -> Self {
        let there = places.iter().enumerate().filter_map(|(slot, place)| {
            let (place, mut meta) = place.in_version(next)?;
            meta.name = NAMES[slot];
            Some((slot, place, &*Box::leak(Box::new(meta))))
        });
        Self(there.collect())
    }

    pub(crate) fn app(&self, ground: Ground) -> App {
        let version = self.clone();
        App::new("garden-operator").operator(move |_env| async { Ok(Plot { version, ground }) })
    }
}

/// What makes the graph.
pub(crate) struct Plot {
    version: Version,
    ground: Ground,
}

impl Resources for Plot {
    type Operator = Random;
}

impl Operator for Random {
    type Object = Garden;
    type Status = NoStatus;
    type Resources = Plot;
    const NODES: &'static [Meta] = &[];

    fn crd() -> Option<CustomResourceDefinition> {
        <Garden as Operator>::crd()
    }

    fn status(garden: &Garden) -> Option<&Status<NoStatus>> {
        garden.status.as_ref()
    }

    fn graph(plot: Plot) -> Graph<Self> {
        plot.version.0.iter().fold(Graph::new(), |graph, (slot, place, meta)| {
            let ground = plot.ground.clone();
            match slot {
                0 => planted::<0>(graph, *place, meta, ground),
                1 => planted::<1>(graph, *place, meta, ground),
                2 => planted::<2>(graph, *place, meta, ground),
                3 => planted::<3>(graph, *place, meta, ground),
                4 => planted::<4>(graph, *place, meta, ground),
                _ => planted::<5>(graph, *place, meta, ground),
            }
        })
    }

    fn outline() -> Outline<Self> {
        Outline::new()
    }
}

fn planted<const SLOT: usize>(
    graph: Graph<Random>,
    place: Place,
    meta: &'static Meta,
    ground: Ground,
) -> Graph<Random> {
    match place.form {
        Form::ConfigMap => graph.node(Made::<SLOT, ConfigMap>::new(place, ground), runs().placed(meta)),
        Form::Immutable => graph.node(Made::<SLOT, ConfigMap, true>::new(place, ground), runs().placed(meta)),
        Form::Secret => graph.node(Made::<SLOT, Secret>::new(place, ground), runs().placed(meta)),
        Form::Service => graph.node(Made::<SLOT, Service>::new(place, ground), runs().placed(meta)),
        Form::External => graph.node(Thing::<SLOT> { place, ground }, runs().placed(meta)),
        Form::Step => graph.node(Deed::<SLOT> { ground }, runs().placed(meta)),
    }
}
