//! The crash explorer over the examples and over random graphs, and what it finds where faults are planted.

mod buckets;
mod graph;
mod graphs;
mod kept;
mod mirror;
mod orders;
mod planted;
mod restless;
mod shrunk;
mod states;
mod webapp;

use std::{
    io::{self, Write as _},
    iter,
};

use operatorkit as _;
use operatorkit_testing::explorer::Totals;

/// One test, since each explorer uses all processors, and the sum is to be told at the end.
#[test]
fn all_survive_all_that_can_go_wrong() {
    let mut totals = Totals::default();
    let examples = [webapp::explore, buckets::explore, mirror::explore];
    let examples = examples.into_iter().map(|explore| explore());
    // One after the other, so that the first that finds something is told at once.
    for report in examples.chain(iter::once_with(graphs::explore).flatten()) {
        report.assert_clean();
        totals.add(&report);
    }
    // Not by `eprintln!`, which nobody sees while all is well.
    writeln!(io::stderr(), "\n{totals}").expect("stderr is open");
}
