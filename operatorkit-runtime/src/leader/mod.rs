//! One leader at a time: an election by a Lease, and a fence around the client of who does not lead.
//!
//! | module | what |
//! |---|---|
//! | `settings` | [`LeaderElection`]: which Lease, and its times |
//! | `record` | what a Lease says, and what to write: pure |
//! | `elector` | reads and writes the Lease |
//! | `fence` | refuses what a process that does not lead would write |
//! | `held` | whether somebody leads, for who does not take part |
//! | `identity` | what a process calls itself |
//! | `lead` | runs something as the leader |

mod elector;
mod fence;
mod held;
mod identity;
mod lead;
mod record;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::LeaderElection;

pub(crate) use {
    fence::{Leadership, NotLeading},
    held::{Held, held},
    lead::lead,
};
