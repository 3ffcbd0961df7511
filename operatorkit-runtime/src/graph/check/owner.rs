//! The rule that a child which the garbage collector may delete at any time has no order to be deleted in.

use super::text::Text;
use crate::graph::Meta;

/// Rule: a resource with `owner_reference` is in the first wave of a deletion that is ordered.
///
/// The garbage collector deletes its children as soon as somebody deletes the object with `--cascade=foreground`. In the first wave that
/// is no earlier than in order. Where no resource has a delete order the reverse of creation is not enforced by this rule: nobody has asked
/// for it.
#[track_caller]
pub(super) const fn owner_reference<const N: usize>(nodes: &[Meta; N], index: usize) {
    let node = &nodes[index];
    let Some(mine) = node.delete_order else {
        return;
    };
    if !node.settings.owner_reference {
        return;
    }
    let mut other = 0;
    while other < N {
        if let Some(theirs) = nodes[other].delete_order
            && theirs < mine
        {
            Text::new()
                .push("resource `")
                .push(node.name)
                .push("` has `owner_reference` and is to be deleted after `")
                .push(nodes[other].name)
                .push("`, but the garbage collector deletes what has an owner reference in no order: remove the `owner_reference`, or give `")
                .push(node.name)
                .push("` the lowest `delete_order`")
                .raise()
        }
        other += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Meta = Meta::new("first").delete_order(1);

    #[test]
    fn a_resource_that_waits_for_another_has_no_owner_reference() {
        let nodes = [FIRST, Meta::new("web").delete_order(2).owner_reference()];
        let text = std::panic::catch_unwind(move || owner_reference(&nodes, 1)).expect_err("the check passed");
        let text = text.downcast::<String>().expect("a text");
        assert!(
            text.contains("`web` has `owner_reference` and is to be deleted after `first`"),
            "{text}"
        );
    }

    #[test]
    fn the_first_wave_and_an_unordered_deletion_may_have_one() {
        owner_reference(&[FIRST.owner_reference(), Meta::new("web").delete_order(2)], 0);
        owner_reference(&[FIRST.owner_reference(), Meta::new("web").delete_order(1)], 0);
        owner_reference(&[Meta::new("a").owner_reference(), Meta::new("b").order(2)], 0);
    }
}
