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

const GARDEN: &str = "planted::garden::garden_survives_all_that_can_go_wrong";

/// Each fault, by the name of its diff, and the line by which it is found.
const FAULTS: [(&str, &str); 9] = [
    (
        "finalizer-before-the-last-child",
        "broken rule: the finalizer goes last",
    ),
    (
        "create-without-intent",
        "broken rule: an intent is stored before the first create",
    ),
    ("delete-by-name", "broken rule: what is foreign is left alone"),
    (
        "desired-on-deletion",
        "different: after step 3: gardens.planted.test default/x should not be there",
    ),
    (
        "prune-after-a-failure",
        "broken rule: nothing is pruned after a failure",
    ),
    ("bare-apply", "broken rule: what is foreign is left alone"),
    ("labels-for-proof", "broken rule: what is foreign is left alone"),
    ("order-of-the-code", "broken rule: the delete order holds"),
    ("cache-trusted-for-absence", "broken rule: the finalizer goes last"),
];

#[test]
fn each_planted_fault_is_found_by_its_rule() {
    let tree = Tree::plant(&FAULTS.map(|(fault, _)| fault));
    tree.build();
    let (clean, said) = tree.run("", GARDEN);
    assert!(
        clean && said.contains("1 passed"),
        "with no fault switched on, there is one:\n{said}"
    );
    let mut missed = Vec::new();
    for (fault, found_by) in FAULTS {
        let (clean, said) = tree.run(fault, GARDEN);
        let found = said.lines().any(|line| line == found_by);
        if clean || !found {
            missed.push(format!("{fault} is not found by `{found_by}`:\n{said}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
