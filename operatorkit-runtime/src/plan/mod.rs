//! What may run when: pure, without I/O.
//!
//! The rules (design, sections 3 to 6):
//!
//! - Forwards, `order = n` waits for every resource with a lower number, and `after(X)` waits for `X`. A resource with
//!   neither is in the first wave, and no number waits for it.
//! - Backwards, `delete_order = m` waits until every resource with a lower number is gone, and `delete_after(X)` until
//!   `X` is. Where no resource has either, deletion is the reverse of creation.
//! - A resource starts once all that it waits for is done or skipped, and at most once in a pass. Equal numbers run at
//!   the same time.
//! - One that waits, fails or stops holds up what depends on it, and nothing else; a stop lets nothing further start.
//! - A terminating object goes by the order that was stored, with what the code adds; a live one that is pruned goes by
//!   the code's, with what the stored one adds. Where two contradict each other the first holds: [`Order::with`].
//! - A stored order may have been edited by hand: it is read as far as it makes sense, and never has a cycle.

mod edges;
mod order;
mod progress;
mod set;
mod shape;
#[cfg(test)]
mod tests;

pub(crate) use edges::Edges;
pub(crate) use order::Order;
pub(crate) use progress::{Outcome, Plan};
pub(crate) use shape::{NodeSpec, Shape};
