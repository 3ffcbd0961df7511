//! A running operator: its watches fill the stores and the queue, its passes empty it.

mod arrival;
mod candidate;
mod orphans;
mod run;
mod single;
mod sink;
mod strays;

pub(crate) use run::run;
pub use single::{Direction, Outcome, SinglePasses};
