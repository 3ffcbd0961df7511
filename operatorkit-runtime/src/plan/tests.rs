//! Properties of plans, for random graphs, outcomes and finishing orders.

mod model;

use proptest::{collection::vec, prelude::*};

use super::{Edges, NodeSpec, Order, Outcome, Plan, Shape};
use model::{Relation, closed, creation, deletion, is_acyclic, outcome, relation, renamed, said, said_directly, specs};

/// Runs a plan to its end; `picks` chooses which running node ends next. At each moment exactly those nodes start that
/// `must` leaves free: none too early, none twice, none too late; what never started says why.
fn check(order: &Order, must: &Relation, outcomes: &[Outcome], picks: &[usize]) -> Result<(), TestCaseError> {
    let nodes = must.len();
    let mut plan = Plan::new(order.edges());
    let (mut started, mut settled) = (vec![false; nodes], vec![false; nodes]);
    let (mut running, mut cancelled) = (Vec::new(), false);
    let unsettled = |node: usize, settled: &[bool]| -> Vec<_> {
        (0..nodes)
            .filter(|&other| must[node][other] && !settled[other])
            .collect()
    };
    for step in 0.. {
        let free = |&node: &usize| !cancelled && !started[node] && unsettled(node, &settled).is_empty();
        let free: Vec<_> = (0..nodes).filter(free).collect();
        prop_assert_eq!(plan.start().collect::<Vec<_>>(), &*free);
        free.iter().for_each(|&node| started[node] = true);
        running.extend(free);
        if running.is_empty() {
            break;
        }
        let node = running.swap_remove(picks[step % picks.len()] % running.len());
        let outcome = outcomes[node % outcomes.len()];
        plan.finish(node, outcome);
        settled[node] = matches!(outcome, Outcome::Done | Outcome::Skipped);
        cancelled |= outcome == Outcome::Cancelled;
    }
    for (node, &started) in started.iter().enumerate() {
        let (held, because) = (plan.held(node), unsettled(node, &settled));
        prop_assert!(held.iter().all(|other| because.contains(other)));
        prop_assert_eq!(held.is_empty(), because.is_empty());
        prop_assert!(started == held.is_empty() || cancelled && !started);
    }
    Ok(())
}

fn stored(nodes: &[(String, Vec<String>)]) -> Order {
    Order::stored(nodes.iter().map(|(name, waits)| (name.as_str(), waits.as_slice())))
}

/// How an order is stored.
fn text(order: &Order) -> Vec<(String, Vec<String>)> {
    let nodes = 0..order.edges().len();
    nodes
        .map(|node| (order.name(node).to_owned(), order.waits(node)))
        .collect()
}

proptest! {
    #[test]
    fn exactly_what_may_run_runs(
        specs in specs(1..=8), outcomes in vec(outcome(), 8), picks in vec(0..8_usize, 1..16)
    ) {
        let shape = Shape::new(&specs).unwrap();
        check(&shape.create, &creation(&specs), &outcomes, &picks)?;
        check(&shape.delete, &deletion(&specs), &outcomes, &picks)?;
    }

    #[test]
    fn the_fewest_edges_mean_the_same(specs in specs(1..=8)) {
        let shape = Shape::new(&specs).unwrap();
        for (order, must) in [(&shape.create, creation(&specs)), (&shape.delete, deletion(&specs))] {
            let direct = said_directly(order);
            prop_assert_eq!(said(order), &*must);
            prop_assert_eq!(closed(direct.clone()), &*must);
            let through = |node: usize, other: usize| (0..must.len()).any(|via| direct[node][via] && must[via][other]);
            for (node, direct) in direct.iter().enumerate() {
                prop_assert!((0..must.len()).all(|other| !direct[other] || !through(node, other)));
            }
        }
    }

    #[test]
    fn what_is_stored_reads_back_as_the_same_order(specs in specs(1..=8)) {
        let order = Shape::new(&specs).unwrap().delete;
        prop_assert_eq!(stored(&text(&order)), order);
    }

    #[test]
    fn two_orders_come_together(
        one in specs(1..=8), two in specs(1..=8), by in 0..8_usize,
        outcomes in vec(outcome(), 8), picks in vec(0..8_usize, 1..16)
    ) {
        let one = Shape::new(&one).unwrap().delete;
        let two = Shape::new(&renamed(two, by)).unwrap().delete;
        let both = one.with(&two);
        let says = |order: &Order, node: usize, other: usize| {
            let place = |index: usize| order.index(both.name(index));
            matches!((place(node), place(other)), (Some(node), Some(other)) if order.edges().all(node).contains(other))
        };
        let (nodes, known) = (both.edges().len(), one.edges().len());
        let added = |node: usize, other: usize| (node >= known || other >= known) && says(&two, node, other);
        let asked = relation(nodes, |node, other| says(&one, node, other) || added(node, other));
        let (come, direct) = (said(&both), said_directly(&both));

        prop_assert!((0..known).all(|index| both.name(index) == one.name(index)));
        prop_assert!(text(&two).iter().all(|(name, _)| both.index(name).is_some()));
        prop_assert!(is_acyclic(&come));
        for node in 0..nodes {
            for other in 0..nodes {
                prop_assert!(!direct[node][other] || asked[node][other], "nobody asked for it");
                prop_assert!(!says(&one, node, other) || come[node][other], "the first order holds");
                prop_assert!(!added(node, other) || come[node][other] || come[other][node], "lost");
            }
        }
        let all = closed(asked);
        if is_acyclic(&all) {
            prop_assert_eq!(&come, &all);
        }
        check(&both, &come, &outcomes, &picks)?;
        prop_assert_eq!(one.with(&one), one);
        prop_assert_eq!(&both.with(&two), &both);
    }

    #[test]
    fn stored_nonsense_is_read_as_far_as_it_makes_sense(nodes in vec(("[a-d]", vec("[a-e]", 0..4)), 0..6)) {
        let order = stored(&nodes);
        for (index, (name, _)) in nodes.iter().enumerate() {
            let first = nodes[..index].iter().all(|(earlier, _)| earlier != name);
            prop_assert!(!first || (0..order.edges().len()).filter(|&at| order.name(at) == name).count() == 1);
        }
        let asked = closed(relation(order.edges().len(), |node, other| {
            nodes.iter().any(|(name, waits)| name == order.name(node) && waits.iter().any(|on| on == order.name(other)))
        }));
        if is_acyclic(&asked) {
            prop_assert_eq!(said(&order), asked);
        }
        check(&order, &said(&order), &[Outcome::Done], &[0])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn more_than_sixty_four_resources_work(
        specs in specs(60..=130), outcomes in vec(outcome(), 130), picks in vec(0..130_usize, 130)
    ) {
        let shape = Shape::new(&specs).unwrap();
        for outcomes in [&outcomes, &vec![Outcome::Done]] {
            check(&shape.create, &creation(&specs), outcomes, &picks)?;
            check(&shape.delete, &deletion(&specs), outcomes, &picks)?;
        }
    }
}

#[test]
fn an_edited_order_of_thousands_does_not_hang() {
    let name = |index: usize| format!("r{index}");
    // Each waits for the next one, the last for the first.
    let chain: Vec<_> = (0..3000)
        .map(|index| (name(index), vec![name((index + 1) % 3000)]))
        .collect();
    let (chain, code) = (stored(&chain), order(&[("r7", &[]), ("new", &["r7"])]));
    let (deletion, prune) = (chain.with(&code), code.with(&chain));
    assert_eq!(deletion.waits(3000), ["r7"]);
    assert_eq!(prune.waits(prune.index("r6").unwrap()), ["r7"]);
    assert_eq!(starts(deletion.edges()), [0], "one edge of the circle was left out");
}

fn spec(name: &str, order: i64) -> NodeSpec {
    NodeSpec {
        name: name.into(),
        order: Some(order),
        ..NodeSpec::default()
    }
}

fn starts(edges: &Edges) -> Vec<usize> {
    Plan::new(edges).start().collect()
}

#[test]
fn equal_numbers_start_at_the_same_time() {
    let shape = Shape::new(&[spec("a", 1), spec("b", 1), spec("c", 2)]).unwrap();
    let mut plan = Plan::new(shape.create.edges());
    assert!(plan.start().eq([0, 1]));
    plan.finish(1, Outcome::Done);
    assert_eq!(plan.start().count(), 0);
    plan.finish(0, Outcome::Skipped);
    assert!(plan.start().eq([2]));
}

#[test]
fn deletion_is_the_reverse_where_nothing_is_said() {
    let shape = Shape::new(&[spec("a", 1), spec("b", 2), spec("c", 2)]).unwrap();
    assert_eq!(starts(shape.delete.edges()), [1, 2]);
    assert_eq!(shape.delete.waits(0), ["b", "c"]);
}

#[test]
fn a_barrier_is_stored_with_the_fewest_edges() {
    let shape = Shape::new(&[spec("a", 1), spec("b", 2), spec("c", 3)]).unwrap();
    assert_eq!(shape.create.waits(2), ["b"]);
}

fn order(nodes: &[(&str, &[&str])]) -> Order {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let nodes: Vec<_> = nodes
        .iter()
        .map(|(name, waits)| ((*name).to_owned(), owned(waits)))
        .collect();
    stored(&nodes)
}

#[test]
fn a_resource_that_left_the_code_keeps_its_place_in_the_stored_order() {
    let code = order(&[("front", &[]), ("disk", &[])]);
    let old = order(&[("front", &[]), ("cache", &["front"]), ("disk", &["cache"])]);
    let prune = code.with(&old);
    assert_eq!(prune.waits(1), ["cache"], "what stays waits for what left");
    assert_eq!(prune.waits(2), ["front"], "what left waits for what stays");
}

#[test]
fn what_a_third_resource_carries_is_not_lost() {
    // `net` waits for `disk` by way of `web`; the code no longer puts `web` after `disk`.
    let code = order(&[("web", &[]), ("disk", &[])]);
    let old = order(&[("disk", &[]), ("web", &["disk"]), ("net", &["web"])]);
    assert_eq!(code.with(&old).waits(2), ["web", "disk"]);
}

#[test]
fn where_two_orders_contradict_each_other_the_first_holds() {
    let code = order(&[("a", &[]), ("b", &["a"]), ("new", &["b"])]);
    let old = order(&[("b", &[]), ("a", &["b"])]);
    assert_eq!(
        text(&old.with(&code)),
        text(&order(&[("b", &[]), ("a", &["b"]), ("new", &["a"])]))
    );
    assert_eq!(code.with(&old), code);
}

#[test]
fn what_nobody_knows_a_place_for_waits_for_nothing() {
    let code = order(&[("b", &["a"]), ("a", &[])]);
    let all = code.with_unplaced(["z", "a", "c", "z"].map(str::to_owned));
    let expected = order(&[("b", &["a"]), ("a", &[]), ("c", &[]), ("z", &[])]);
    assert_eq!(text(&all), text(&expected));
}

#[test]
fn a_cycle_is_an_error_that_names_the_path() {
    let after = |name: &str, after: &str| NodeSpec {
        name: name.into(),
        after: vec![after.into()],
        ..NodeSpec::default()
    };
    let err = Shape::new(&[after("a", "b"), after("b", "c"), after("c", "a")]).unwrap_err();
    assert!(err.contains("`c` -> `a` -> `b` -> `c`"), "{err}");
    let barrier = NodeSpec {
        order: Some(1),
        ..after("a", "b")
    };
    let err = Shape::new(&[barrier, spec("b", 2)]).unwrap_err();
    assert!(err.contains("`b` -> `a` -> `b`"), "{err}");
    assert!(Shape::new(&[after("a", "a")]).unwrap_err().contains("`a` -> `a`"));
    let err = Shape::new(&[NodeSpec {
        after: Vec::new(),
        delete_after: vec!["a".into()],
        ..after("a", "")
    }])
    .unwrap_err();
    assert!(err.contains("order of deletion") && err.contains("`a` -> `a`"), "{err}");
}

#[test]
fn an_unknown_or_a_doubled_name_is_an_error() {
    let unknown = NodeSpec {
        after: vec!["x".into()],
        ..spec("a", 1)
    };
    assert!(Shape::new(&[unknown]).unwrap_err().contains("`a` waits for `x`"));
    assert!(
        Shape::new(&[spec("a", 1), spec("a", 2)])
            .unwrap_err()
            .contains("the name `a`")
    );
}

#[cfg(feature = "dev")]
#[test]
fn a_resource_has_its_turn_after_all_that_it_waits_for() {
    let after = |name: &str, after: &[&str]| NodeSpec {
        name: name.into(),
        after: after.iter().map(|&name| name.into()).collect(),
        ..NodeSpec::default()
    };
    let nodes = [
        after("c", &["a", "b"]),
        after("a", &[]),
        after("b", &["a"]),
        after("d", &[]),
    ];
    let shape = Shape::new(&nodes).unwrap();
    assert_eq!(shape.create.turns(), [3, 1, 2, 1]);
    assert_eq!(shape.delete.turns(), [1, 3, 2, 1]);
}
