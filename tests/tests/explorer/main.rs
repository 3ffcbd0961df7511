//! The crash explorer over the examples and over random graphs, and what it finds where faults are planted.

mod buckets;
mod mirror;
mod states;
mod webapp;

use operatorkit as _;
