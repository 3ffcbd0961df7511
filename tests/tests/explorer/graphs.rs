//! Random graphs of up to six resources of all three traits.

mod words;

use std::{cell::RefCell, env, sync::Arc};

use operatorkit::{
    kube::CustomResourceExt as _,
    serde_json::{Value, from_str, json},
};
use operatorkit_testing::explorer::{Explorer, Report, Scenario, Subject};
use proptest::{
    arbitrary::any,
    array::uniform2,
    bool::weighted,
    collection::vec,
    prop_oneof,
    sample::select,
    strategy::{Just, Strategy},
    test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner},
};

use self::words::{named, read};
use crate::graph::{Form, Garden, GardenSpec, Ground, Next, PLACES, Place, Version};

/// The variable that says how many graphs are drawn.
const GRAPHS: &str = "OPERATORKIT_GRAPHS";
/// How many graphs a CI bears.
const FEW: u32 = 6;
/// How many plans of each graph.
const PLANS: usize = 40;
/// How many resources a small graph has at most, and how many plans of two things that go wrong there are of it besides.
const SMALL: usize = 2;
const PAIRS: usize = 20;
/// What graphs are drawn from: with a larger number of graphs the first ones stay the same.
const SEED: u64 = 1;
/// How many smaller graphs are tried when something is found.
const SMALLER: u32 = 60;

fn graph() -> impl Strategy<Value = Vec<Place>> {
    let forms = [
        Form::ConfigMap,
        Form::Immutable,
        Form::Secret,
        Form::Service,
        Form::External,
        Form::External,
        Form::Step,
    ];
    let next = prop_oneof![
        2 => Just(Next::Stays),
        1 => (0_i64..3, 0_i64..3).prop_map(|(order, delete_order)| Next::Moves(order, delete_order)),
        1 => Just(Next::Leaves),
        1 => Just(Next::Comes),
    ];
    let place = (
        select(forms.to_vec()),
        uniform2(0_i64..3),
        uniform2(0_usize..3),
        [weighted(0.2), weighted(0.2)],
        next,
    );
    let place = place.prop_map(|(form, [order, delete_order], children, [waits, keeps], next)| Place {
        form,
        order,
        delete_order,
        children,
        waits,
        // A child that is kept is not deleted to be made again, and a step has nothing to keep.
        keeps: keeps && ![Form::Immutable, Form::Step].contains(&form),
        next,
    });
    let graph = (vec(place, 1..=PLACES), any::<bool>());
    graph.prop_map(|(mut places, has_next)| {
        if !has_next {
            places.iter_mut().for_each(|place| place.next = Next::Stays);
        }
        // An operator without resources does not start.
        if [Next::Leaves, Next::Comes].contains(&places[0].next) {
            places[0].next = Next::Stays;
        }
        places
    })
}

fn life(places: &[Place]) -> Scenario {
    let name = named(places);
    let has_next = places.iter().any(|place| place.next != Next::Stays);
    let versions = [false, true].map(|next| Version::of(places, next));
    let subject = move || {
        let ground = Ground::default();
        let cloud = Arc::clone(&ground.cloud);
        let [first, next] = versions.clone().map(|version| {
            let ground = ground.clone();
            move || version.app(ground.clone())
        });
        let subject = Subject::app(first).outside(cloud);
        if has_next { subject.upgraded(next) } else { subject }
    };
    let begun = Scenario::new(name, subject)
        .crd(Garden::crd())
        .create(&Garden::new("x", GardenSpec { changed: false }));
    let upgraded = if has_next { begun.upgrade() } else { begun };
    upgraded
        .change::<Garden>("x", json!({ "spec": { "changed": true } }))
        .delete::<Garden>("x")
}

fn explored(places: &[Place]) -> Report {
    let pairs = if places.len() <= SMALL { PAIRS } else { 0 };
    Explorer::new(life(places)).at_most(PLANS).pairs(pairs).run()
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
