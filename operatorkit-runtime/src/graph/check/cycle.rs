//! The rule that resources must not wait for each other, barriers included, with the path of a cycle in the text.
//!
//! An edge against the numbers is left out: [`after`](super::after) and [`delete_after`](super::delete_after) report it, and one mistake
//! is to give one error.

use super::text::{Text, hashes, position};
use crate::graph::Meta;

/// Rule: no cycle among `order` and `after`.
#[track_caller]
pub const fn create_cycle<const N: usize>(nodes: &[Meta; N]) {
    no_cycle(nodes, false, "resources wait for each other: `");
}

/// Rule: no cycle among `delete_order` and `delete_after`.
#[track_caller]
pub const fn delete_cycle<const N: usize>(nodes: &[Meta; N]) {
    no_cycle(nodes, true, "resources wait for each other when they are deleted: `");
}

/// Takes away what waits for nothing that is left; what cannot be taken away is on a cycle or waits for one.
#[track_caller]
const fn no_cycle<const N: usize>(nodes: &[Meta; N], deletion: bool, head: &str) {
    let waits = waits(nodes, deletion);
    let mut done = [false; N];
    let mut left = N;
    while left > 0 {
        let mut node = 0;
        while node < N && (done[node] || next(&waits[node], &done) < N) {
            node += 1;
        }
        if node == N {
            raise(nodes, &waits, &done, head)
        }
        done[node] = true;
        left -= 1;
    }
}

/// Which node waits for which. Each name is looked up once: constants are evaluated slowly, and the compiler gives up at some time.
const fn waits<const N: usize>(nodes: &[Meta; N], deletion: bool) -> [[bool; N]; N] {
    let hashes = hashes(nodes);
    let mut waits = [[false; N]; N];
    let mut node = 0;
    while node < N {
        let (mine, edges) = place(&nodes[node], deletion);
        let mut other = 0;
        while other < N {
            let (theirs, _) = place(&nodes[other], deletion);
            waits[node][other] = matches!((mine, theirs), (Some(mine), Some(theirs)) if theirs < mine);
            other += 1;
        }
        let mut edge = 0;
        while edge < edges.len() {
            let other = position(nodes, &hashes, edges[edge]);
            if other < N && (mine.is_none() || place(&nodes[other], deletion).0.is_none()) {
                waits[node][other] = true;
            }
            edge += 1;
        }
        node += 1;
    }
    waits
}

const fn place(node: &Meta, deletion: bool) -> (Option<i64>, &'static [&'static str]) {
    if deletion {
        (node.delete_order, node.delete_after)
    } else {
        (node.order, node.after)
    }
}

/// The first node that is waited for and not done; `N` if there is none.
const fn next<const N: usize>(waits: &[bool; N], done: &[bool; N]) -> usize {
    let mut other = 0;
    while other < N && (!waits[other] || done[other]) {
        other += 1;
    }
    other
}

#[track_caller]
const fn raise<const N: usize>(nodes: &[Meta; N], waits: &[[bool; N]; N], done: &[bool; N], head: &str) -> ! {
    let mut at = 0;
    while done[at] {
        at += 1;
    }
    // After N steps the walk is on the cycle, wherever it began.
    let mut step = 0;
    while step < N {
        at = next(&waits[at], done);
        step += 1;
    }
    let start = at;
    let mut text = Text::new().push(head).push(nodes[start].name);
    loop {
        at = next(&waits[at], done);
        text = text.push("` -> `").push(nodes[at].name);
        if at == start {
            text.push("`: a higher number waits for every lower one; change a number or remove an edge")
                .raise()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
        *std::panic::catch_unwind(check)
            .expect_err("the check passed")
            .downcast::<String>()
            .unwrap()
    }

    #[test]
    fn a_cycle_is_named_with_its_path_barriers_included() {
        let nodes = [
            Meta::new("low").order(1).after(&["edge"]),
            Meta::new("edge").after(&["high"]),
            Meta::new("high").order(2),
            Meta::new("free"),
        ];
        let text = text_of(move || create_cycle(&nodes));
        for step in ["`low` -> `edge`", "`edge` -> `high`", "`high` -> `low`"] {
            assert!(text.contains(step), "{text}");
        }
        assert!(!text.contains("free"));
    }

    #[test]
    fn an_edge_against_the_numbers_is_not_reported_twice() {
        create_cycle(&[Meta::new("low").order(1).after(&["high"]), Meta::new("high").order(2)]);
        delete_cycle(&[
            Meta::new("low").delete_order(1).delete_after(&["high"]),
            Meta::new("high").delete_order(1),
        ]);
    }

    macro_rules! names {
        ($($number:literal)*) => { [$(concat!("a-resource-with-a-name-that-is-fairly-long-", $number)),*] };
    }

    const NAMES: [&str; 64] = names!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    );

    #[test]
    fn the_compiler_has_patience_for_a_large_graph() {
        // In the order that is the slowest: what comes first waits for all the others.
        const NODES: [Meta; 64] = {
            let mut nodes = [Meta::new("x"); 64];
            let (mut at, mut order) = (0, 64);
            while at < 64 {
                let (_, later) = NAMES.split_at(at + 1);
                nodes[at] = Meta::new(NAMES[at]).order(order).after(later).delete_after(later);
                at += 1;
                order -= 1;
            }
            nodes
        };
        const _: () = create_cycle(&NODES);
        const _: () = delete_cycle(&NODES);
    }

    #[test]
    fn a_resource_after_itself_is_a_cycle() {
        let nodes = [Meta::new("a").delete_after(&["a"])];
        assert!(text_of(move || delete_cycle(&nodes)).contains("when they are deleted: `a` -> `a`"));
    }
}
