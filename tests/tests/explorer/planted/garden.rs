//! The operator that faults are planted for: all three traits, a child that takes its time to go, and a next version that has neither the
//! same resources nor the same delete order.

use std::{env, sync::Arc};

use operatorkit::{
    anyhow::Error,
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    kube::CustomResourceExt as _,
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::explorer::{Cloud, Explorer, Scenario, Subject};

use super::tree::SWITCH;

/// The well: a thing in the cloud, dug for the object's note.
macro_rules! well {
    () => {
        impl External for Well {
            type Operator = Garden;
            type State = String;

            async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
                Ok(self.0.find("well", token.as_str()))
            }

            async fn observe(&self, garden: &Garden, state: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
                let state = state.clone();
                Ok(match self.0.read(&state) {
                    None => Observed::Absent,
                    Some(content) if content == garden.spec.note.as_str() => Observed::Matches(state),
                    Some(_) => Observed::Differs(state),
                }
                .into())
            }

            async fn create(&self, garden: &Garden, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
                let note = garden.spec.note.as_str().into();
                Ok(self.0.create("well", token.as_str(), note).into())
            }

            async fn update(&self, garden: &Garden, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
                self.0.update(state, garden.spec.note.as_str().into());
                Ok(state.clone().into())
            }

            async fn delete(&self, state: &String, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0.delete(state);
                Ok(().into())
            }
        }
    };
}

/// The beds: as many `ConfigMap`s as the object says.
macro_rules! beds {
    () => {
        impl Manifest for Beds {
            type Operator = Garden;
            type Object = ConfigMap;

            async fn desired(&self, garden: &Garden, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
                let bed = |number| {
                    let name = format!("{}-bed-{number}", cx.name());
                    bed(&name, &garden.spec.note)
                };
                Ok(Desired::from(
                    (0..garden.spec.beds).map(bed).collect::<Result<Vec<_>>>()?,
                ))
            }
        }
    };
}

/// What is dug up first and levelled last.
macro_rules! ground {
    () => {
        impl Step for Ground {
            type Operator = Garden;
            type Output = ();

            async fn ensure_created(&self, _garden: &Garden, _cx: &Cx<Self>) -> Result<Flow<()>> {
                Ok(().into())
            }
        }
    };
}

mod first {
    use super::*;

    #[operator(
        group = "planted.test",
        version = "v1",
        kind = "Garden",
        namespaced,
        resources(Ground, Well, Beds, House)
    )]
    pub(super) struct GardenSpec {
        pub(super) beds: u32,
        pub(super) note: String,
    }

    #[resource(order = 1, delete_order = 4)]
    pub(super) struct Ground;
    ground!();

    #[resource(order = 2, delete_order = 3)]
    pub(super) struct Well(Arc<Cloud>);
    well!();

    #[resource(order = 3, delete_order = 1)]
    pub(super) struct Beds;
    beds!();

    /// It is deleted in the foreground, so it goes when the garbage collector has looked at it.
    #[resource(order = 3, delete_order = 2)]
    pub(super) struct House;

    impl Manifest for House {
        type Operator = Garden;
        type Object = Deployment;

        async fn desired(&self, _garden: &Garden, cx: &Cx<Self>) -> Result<Desired<Deployment>> {
            Ok(house(cx.name())?.into())
        }

        fn readiness(&self, _house: &Deployment) -> Option<Readiness> {
            // Nobody builds it here.
            Some(Readiness::Ready)
        }
    }

    pub(super) fn app(cloud: Arc<Cloud>) -> App {
        App::new("gardens").operator(move |_env| async move {
            Ok(GardenResources {
                ground: Ground,
                well: Well(cloud),
                beds: Beds,
                house: House,
            })
        })
    }
}

/// Without the house, and the well goes before the beds.
mod second {
    use super::*;

    #[operator(
        group = "planted.test",
        version = "v1",
        kind = "Garden",
        namespaced,
        resources(Ground, Well, Beds)
    )]
    pub(super) struct GardenSpec {
        pub(super) beds: u32,
        pub(super) note: String,
    }

    #[resource(order = 1, delete_order = 3)]
    pub(super) struct Ground;
    ground!();

    #[resource(order = 2, delete_order = 1)]
    pub(super) struct Well(Arc<Cloud>);
    well!();

    #[resource(order = 3, delete_order = 2)]
    pub(super) struct Beds;
    beds!();

    pub(super) fn app(cloud: Arc<Cloud>) -> App {
        App::new("gardens").operator(move |_env| async move {
            Ok(GardenResources {
                ground: Ground,
                well: Well(cloud),
                beds: Beds,
            })
        })
    }
}

use first::{Garden, GardenSpec};

fn bed(name: &str, note: &str) -> Result<ConfigMap> {
    from_value(json!({ "metadata": { "name": name }, "data": { "note": note } })).map_err(Error::from)
}

fn house(name: &str) -> Result<Deployment> {
    let labels = json!({ "app": name });
    let deployment = json!({
        "metadata": { "name": name },
        "spec": {
            // Pods are not the operator's business, and cost time.
            "replicas": 0,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "house", "image": "house" }] },
            },
        },
    });
    from_value(deployment).map_err(Error::from)
}

fn subject() -> Subject {
    let cloud = Arc::new(Cloud::default());
    let (one, two) = (cloud.clone(), cloud.clone());
    Subject::app(move || first::app(one.clone()))
        .upgraded(move || second::app(two.clone()))
        .outside(cloud)
}

/// A garden, up to its first step.
fn begun(name: &str) -> Scenario {
    let spec = GardenSpec {
        beds: 2,
        note: "leeks".into(),
    };
    Scenario::new(name, subject)
        .crd(Garden::crd())
        .create(&Garden::new("x", spec))
}

/// How many plans are enough where nothing is to be found.
const SOME: usize = 200;

/// Nothing is found here. In the copy of the workspace that has the faults, the test beside these runs one of them for each fault, and reads
/// what it says.
fn survives(scenario: Scenario) {
    let planted = env::var(SWITCH).is_ok_and(|fault| !fault.is_empty());
    let explorer = Explorer::new(scenario);
    let report = if planted {
        explorer.until_found().run()
    } else {
        explorer.at_most(SOME).run()
    };
    for rule in report.broken_rules() {
        eprintln!("{}{rule}", super::BROKEN);
    }
    let differences = report.failures.iter().flat_map(|failure| &failure.differences);
    for difference in differences {
        eprintln!("{}{difference}", super::DIFFERENT);
    }
    report.assert_clean();
}

#[test]
fn garden_survives_all_that_can_go_wrong() {
    let change = json!({ "spec": { "beds": 1, "note": "kale" } });
    survives(begun("garden").change::<Garden>("x", change).delete::<Garden>("x"));
}

#[test]
fn garden_survives_its_next_version() {
    survives(begun("garden, upgraded").upgrade().delete::<Garden>("x"));
}
