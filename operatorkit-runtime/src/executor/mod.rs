//! Carrying out a pass: what `plan` allows, through the layers, against the cluster.

mod adoption;
mod backwards;
mod catch_up;
mod children;
mod creation;
mod drive;
mod ending;
mod execute;
mod external;
mod external_removal;
mod finalizer;
mod forwards;
mod initial;
mod inventory;
mod kinds;
mod look;
mod manifest;
mod memory;
mod overdue;
mod ownership;
mod pass;
mod pause;
mod recreation;
mod removal;
mod report;
mod running;
mod slots;
mod source;
mod step;
mod turns;

pub(crate) use execute::execute;
use pass::Pass;
pub(crate) use pass::{Backward, Forward};
pub(crate) use running::{Parts, Running};
