//! Faults that are injected: what goes wrong, for which requests, how often.
//!
//! | module | what |
//! |---|---|
//! | [`effect`] | what goes wrong |
//! | [`matching`] | for which requests |
//! | [`plan`] | the faults of a server, and which of them a request meets |

pub mod effect;
pub mod matching;
pub mod plan;

pub use effect::{Effect, Interference};
pub use matching::Matching;
pub use plan::{Fault, FaultId, Faults};
