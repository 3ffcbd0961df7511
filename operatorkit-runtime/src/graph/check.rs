//! The checks of a graph at compile time: each rule is a `const fn` that panics with a text for the user.
//!
//! `#[operator]` and `#[resource]` put each call in a `const` of its own, on the token that the rule is about, so that
//! several errors are reported at once.

mod cycle;
mod owner;
mod placed;
mod reads;
mod status;
mod text;

pub use cycle::{create_cycle, delete_cycle};
pub(crate) use placed::misplaced;
pub use placed::placed;
pub use reads::reads;
pub use status::{Fields, Reserved, Unreserved, status};

use super::Meta;
use text::{Text, contains, eq, hashes, position};

/// The rules of one resource within its graph.
#[track_caller]
pub const fn resource<const N: usize>(nodes: &[Meta; N], index: usize) {
    name(nodes, index);
    known(nodes, index);
    deletion(nodes, index);
    owner::owner_reference(nodes, index);
}

/// Rule: names are unique. Reported on the later of two.
#[track_caller]
const fn name<const N: usize>(nodes: &[Meta; N], index: usize) {
    let mut earlier = 0;
    while earlier < index {
        if eq(nodes[earlier].name, nodes[index].name) {
            Text::new()
                .push("two resources have the name `")
                .push(nodes[index].name)
                .push("`: list each once, or give one of them another `name = \"..\"` in its #[resource(..)]")
                .raise()
        }
        earlier += 1;
    }
}

/// Rule: what a resource waits for is in `resources(..)`, in both directions.
#[track_caller]
const fn known<const N: usize>(nodes: &[Meta; N], index: usize) {
    let node = &nodes[index];
    all_known(nodes, node.name, "after", node.after);
    all_known(nodes, node.name, "delete_after", node.delete_after);
}

#[track_caller]
const fn all_known<const N: usize>(nodes: &[Meta; N], name: &str, key: &str, waits: &[&str]) {
    let hashes = hashes(nodes);
    let mut at = 0;
    while at < waits.len() {
        if position(nodes, &hashes, waits[at]) == N {
            Text::new()
                .push("resource `")
                .push(name)
                .push("` is `")
                .push(key)
                .push("(..)` the resource `")
                .push(waits[at])
                .push("`, which is not in `resources(..)`: add it there, or remove the `")
                .push(key)
                .push("`")
                .raise()
        }
        at += 1;
    }
}

/// Rule: where one resource has a delete order, each has one or is named in another's `delete_after`.
#[track_caller]
const fn deletion<const N: usize>(nodes: &[Meta; N], index: usize) {
    let node = &nodes[index];
    if node.delete_order.is_some() || !node.delete_after.is_empty() {
        return;
    }
    let mut ordered = N;
    let mut other = 0;
    while other < N {
        if contains(nodes[other].delete_after, node.name) {
            return;
        }
        if ordered == N && (nodes[other].delete_order.is_some() || !nodes[other].delete_after.is_empty()) {
            ordered = other;
        }
        other += 1;
    }
    if ordered < N {
        Text::new()
            .push("resource `")
            .push(node.name)
            .push("` has no place in the deletion, but `")
            .push(nodes[ordered].name)
            .push("` has one: give `")
            .push(node.name)
            .push("` a `delete_order` or a `delete_after(..)`, or remove them from all resources (then deletion is the reverse of creation)")
            .raise()
    }
}

/// Rules: what a resource is after has a lower `order`, where both have one, and is not retired.
#[track_caller]
pub const fn after(node: &Meta, earlier: &Meta) {
    if earlier.settings.retired && !node.settings.retired {
        Text::new()
            .push("resource `")
            .push(node.name)
            .push("` is `after` `")
            .push(earlier.name)
            .push("`, which is `retired`: it is never applied and has no output, remove the `after`")
            .raise()
    }
    if let (Some(mine), Some(theirs)) = (node.order, earlier.order)
        && theirs >= mine
    {
        contradiction(node.name, "after", "order", earlier.name)
    }
}

/// Rule: what a resource is deleted after has a lower `delete_order`, where both have one.
#[track_caller]
pub const fn delete_after(node: &Meta, earlier: &Meta) {
    if let (Some(mine), Some(theirs)) = (node.delete_order, earlier.delete_order)
        && theirs >= mine
    {
        contradiction(node.name, "delete_after", "delete_order", earlier.name)
    }
}

#[track_caller]
const fn contradiction(name: &str, edge: &str, number: &str, earlier: &str) -> ! {
    Text::new()
        .push("resource `")
        .push(name)
        .push("` is `")
        .push(edge)
        .push("` `")
        .push(earlier)
        .push("`, whose `")
        .push(number)
        .push("` is not lower: raise the `")
        .push(number)
        .push("` of `")
        .push(name)
        .push("` above it, or remove the `")
        .push(edge)
        .push("`")
        .raise()
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    const A: Meta = Meta::new("a").order(1);
    const B: Meta = Meta::new("b").order(2).after(&["a"]);

    fn text_of(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
        *catch_unwind(check)
            .expect_err("the check passed")
            .downcast::<String>()
            .unwrap()
    }

    #[test]
    fn a_good_graph_passes() {
        const NODES: [Meta; 2] = [A, B];
        const _: () = {
            name(&NODES, 1);
            known(&NODES, 1);
            deletion(&NODES, 0);
            after(&B, &A);
            create_cycle(&NODES);
            delete_cycle(&NODES);
        };
    }

    #[test]
    fn a_name_twice() {
        assert!(text_of(|| name(&[A, A], 1)).contains("two resources have the name `a`"));
    }

    #[test]
    fn an_unknown_resource() {
        let text = text_of(|| known(&[B], 0));
        assert!(
            text.contains("`b` is `after(..)` the resource `a`, which is not in `resources(..)`"),
            "{text}"
        );
    }

    #[test]
    fn ordered_and_unordered_deletion() {
        let ordered = Meta::new("o").order(1).delete_order(1);
        assert!(
            text_of(move || deletion(&[A, ordered], 0)).contains("`a` has no place in the deletion, but `o` has one")
        );
        deletion(&[A, Meta::new("o").delete_after(&["a"])], 0);
        deletion(&[A, B], 0);
    }

    #[test]
    fn what_is_retired_is_read_by_nobody_but_what_is_retired_too() {
        let text = text_of(|| after(&B, &A.retired()));
        assert!(text.contains("`b` is `after` `a`, which is `retired`"), "{text}");
        after(&B.retired(), &A.retired());
    }

    #[test]
    fn an_edge_against_the_numbers() {
        let equal = Meta::new("c").order(1).after(&["a"]);
        assert!(text_of(move || after(&equal, &A)).contains("`c` is `after` `a`, whose `order` is not lower"));
        let later = Meta::new("c").delete_order(1).delete_after(&["d"]);
        let earlier = Meta::new("d").delete_order(2);
        assert!(text_of(move || delete_after(&later, &earlier)).contains("`c` is `delete_after` `d`"));
    }
}
