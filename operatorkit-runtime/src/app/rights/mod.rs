//! The rights that an app needs, and no others: derived from the graphs of its operators.

mod needs;
mod operator;
mod roles;
#[cfg(test)]
mod tests;

pub(super) use needs::{Needs, Place};
pub(super) use operator::of_operator;
pub(super) use roles::{Installation, objects};
