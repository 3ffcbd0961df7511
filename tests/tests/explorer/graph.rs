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
}

/// What survives the operator in a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    pub(crate) cloud: Arc<Cloud>,
    waited: Arc<[AtomicBool; PLACES]>,
}

/// The operator over any such graph.
pub(crate) struct Random;

/// The resources of a graph, each with its slot; a slot keeps its name in all versions.
pub(crate) struct Plot {
    pub(crate) places: Vec<(usize, Place)>,
    pub(crate) metas: Vec<&'static Meta>,
    pub(crate) ground: Ground,
}

impl Resources for Plot {
    type Operator = Random;
}

/// Where the resources stand. A description is drawn some dozen times in a test, and each is left there.
pub(crate) fn metas(places: &[(usize, Place)]) -> Vec<&'static Meta> {
    let of = |(slot, place): &(usize, Place)| {
        let meta = Meta::new(NAMES[*slot])
            .order(place.order)
            .delete_order(place.delete_order);
        &*Box::leak(Box::new(meta))
    };
    places.iter().map(of).collect()
}

pub(crate) fn app(places: Vec<(usize, Place)>, metas: Vec<&'static Meta>, ground: Ground) -> App {
    App::new("garden-operator").operator(move |_env| async { Ok(Plot { places, metas, ground }) })
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
        let all = plot.places.iter().zip(&plot.metas);
        all.fold(Graph::new(), |graph, ((slot, place), meta)| {
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
        Form::Secret => graph.node(Made::<SLOT, Secret>::new(place, ground), runs().placed(meta)),
        Form::Service => graph.node(Made::<SLOT, Service>::new(place, ground), runs().placed(meta)),
        Form::External => graph.node(Thing::<SLOT> { place, ground }, runs().placed(meta)),
        Form::Step => graph.node(Deed::<SLOT> { ground }, runs().placed(meta)),
    }
}
