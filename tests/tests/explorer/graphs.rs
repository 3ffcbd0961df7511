//! Random graphs of up to six resources of all three traits.

mod words;

use std::{cell::RefCell, env, sync::Arc};

use operatorkit::{
    kube::CustomResourceExt as _,
    serde_json::{Value, from_str, json},
};
use operatorkit_testing::explorer::{Explorer, Report, Scenario, Subject};
use proptest::{
    array::uniform2,
    bool::weighted,
    collection::vec,
    sample::select,
    strategy::Strategy,
    test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner},
};

use self::words::{named, read};
use crate::graph::{Form, Garden, GardenSpec, Ground, PLACES, Place, app, metas};

/// The variable that says how many graphs are drawn.
const GRAPHS: &str = "OPERATORKIT_GRAPHS";
/// How many graphs a CI bears.
const FEW: u32 = 6;
/// How many plans of each graph.
const PLANS: usize = 40;
/// What graphs are drawn from: with a larger number of graphs the first ones stay the same.
const SEED: u64 = 1;
/// How many smaller graphs are tried when something is found.
const SMALLER: u32 = 60;

fn graph() -> impl Strategy<Value = Vec<Place>> {
    let forms = [
        Form::ConfigMap,
        Form::Secret,
        Form::Service,
        Form::External,
        Form::External,
        Form::Step,
    ];
    let place = (
        select(forms.to_vec()),
        uniform2(0_i64..3),
        uniform2(0_usize..3),
        weighted(0.2),
    );
    let place = place.prop_map(|(form, [order, delete_order], children, waits)| Place {
        form,
        order,
        delete_order,
        children,
        waits,
    });
    vec(place, 1..=PLACES)
}

fn life(places: &[Place]) -> Scenario {
    let places: Vec<(usize, Place)> = places.iter().copied().enumerate().collect();
    let metas = metas(&places);
    let name = named(places.iter().map(|(_, place)| place));
    let subject = move || {
        let ground = Ground::default();
        let (places, metas, cloud) = (places.clone(), metas.clone(), Arc::clone(&ground.cloud));
        Subject::app(move || app(places.clone(), metas.clone(), ground.clone())).outside(cloud)
    };
    Scenario::new(name, subject)
        .crd(Garden::crd())
        .create(&Garden::new("x", GardenSpec { changed: false }))
        .change::<Garden>("x", json!({ "spec": { "changed": true } }))
        .delete::<Garden>("x")
}

fn explored(places: &[Place]) -> Report {
    Explorer::new(life(places)).at_most(PLANS).run()
}

/// Explores graph after graph. Of what is found the smallest graph is told in which it is.
pub(crate) fn explore() -> Vec<Report> {
    if let Some(scenario) = repeated() {
        return read(&scenario).map(|places| explored(&places)).into_iter().collect();
    }
    let cases = env::var(GRAPHS).map_or(FEW, |text| text.parse().expect("a number of graphs"));
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(SEED),
        max_shrink_iters: SMALLER,
        ..Config::default()
    });
    let (clean, found) = (RefCell::new(Vec::new()), RefCell::new(None));
    let tried = runner.run(&graph(), |places| {
        let report = explored(&places);
        if report.failures.is_empty() {
            clean.borrow_mut().push(report);
            return Ok(());
        }
        // The last one that fails is the smallest.
        found.replace(Some(report));
        Err(TestCaseError::fail("something was found"))
    });
    match tried {
        Ok(()) => clean.into_inner(),
        Err(TestError::Fail(..)) => found.into_inner().into_iter().collect(),
        Err(TestError::Abort(why)) => panic!("no graphs: {why}"),
    }
}

/// The scenario of the one run that is to be repeated.
fn repeated() -> Option<String> {
    let seed: Value = from_str(&env::var("OPERATORKIT_EXPLORE_REPLAY").ok()?).expect("a seed");
    Some(seed["scenario"].as_str().expect("a scenario").to_owned())
}
