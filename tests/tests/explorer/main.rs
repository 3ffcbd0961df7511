//! The crash explorer over the examples and over random graphs, and what it finds where faults are planted.

mod buckets;
mod mirror;
mod orders;
mod states;
mod webapp;

use std::io::{self, Write as _};

use operatorkit as _;
use operatorkit_testing::explorer::Totals;

/// One test, since each explorer uses all processors, and the sum is to be told at the end.
#[test]
fn all_survive_all_that_can_go_wrong() {
    let mut totals = Totals::default();
    for explore in [webapp::explore, buckets::explore, mirror::explore] {
        let report = explore();
        report.assert_clean();
        totals.add(&report);
    }
    // Not by `eprintln!`, which nobody sees while all is well.
    writeln!(io::stderr(), "\n{totals}").expect("stderr is open");
}
