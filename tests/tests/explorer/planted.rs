//! Faults that are planted in the runtime, one at a time: the explorer finds each of them, by the rule that is there for it.
//!
//! A fault is a diff in `tests/planted`. All of them are applied at once to a copy of the workspace, where each is asleep until a variable
//! names it; so the copy is compiled once. What it runs is `garden`.

mod garden;
mod patch;
mod tree;

use self::tree::Tree;

/// Before each broken rule that `garden` tells.
const BROKEN: &str = "broken rule: ";
/// Before each difference to the undisturbed run.
const DIFFERENT: &str = "different: ";

/// The life of a garden.
const GARDEN: &str = "planted::garden::garden_survives_all_that_can_go_wrong";
/// The same, where the next version of the operator comes.
const UPGRADED: &str = "planted::garden::garden_survives_its_next_version";

/// Each fault, by the name of its diff, the test that finds it, and the line by which it is found.
const FAULTS: [(&str, &str, &str); 12] = [
    (
        "finalizer-before-the-last-child",
        GARDEN,
        "broken rule: the finalizer goes last",
    ),
    (
        "create-without-intent",
        GARDEN,
        "broken rule: an intent is stored before the first create",
    ),
    ("delete-by-name", GARDEN, "broken rule: what is foreign is left alone"),
    (
        "desired-on-deletion",
        GARDEN,
        "different: after step 3 (delete gardens.planted.test x): gardens.planted.test default/x should not be there",
    ),
    (
        "prune-after-a-failure",
        GARDEN,
        "broken rule: nothing is pruned after a failure",
    ),
    ("bare-apply", GARDEN, "broken rule: what is foreign is left alone"),
    ("labels-for-proof", GARDEN, "broken rule: what is foreign is left alone"),
    ("order-of-the-code", GARDEN, "broken rule: the delete order holds"),
    (
        "cache-trusted-for-absence",
        GARDEN,
        "broken rule: the finalizer goes last",
    ),
    (
        "inventory-narrowed-too-early",
        UPGRADED,
        "broken rule: the inventory covers all children",
    ),
    ("end-taken-for-a-release", GARDEN, "broken rule: nothing is left behind"),
    (
        "answer-taken-for-the-state",
        GARDEN,
        "different: after step 1 (create gardens.planted.test x): configmaps default/x-bed-0.data is null, not {\"note\":\"leeks\"}",
    ),
];

#[test]
fn each_planted_fault_is_found_by_its_rule() {
    let tree = Tree::plant(&FAULTS.map(|(fault, ..)| fault));
    tree.build();
    for test in [GARDEN, UPGRADED] {
        let (clean, said) = tree.run("", test);
        assert!(
            clean && said.contains("1 passed"),
            "with no fault switched on, {test} finds one:\n{said}"
        );
    }
    let mut missed = Vec::new();
    for (fault, test, found_by) in FAULTS {
        let (clean, said) = tree.run(fault, test);
        let found = said.lines().any(|line| line == found_by);
        if clean || !found {
            missed.push(format!("{fault} is not found by `{found_by}`:\n{said}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
