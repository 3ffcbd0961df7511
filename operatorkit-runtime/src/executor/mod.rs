//! Carrying out a pass: what `plan` allows, through the layers, against the cluster.

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
mod inventory;
mod kinds;
mod look;
mod manifest;
mod memory;
mod pass;
mod pause;
mod removal;
mod report;
mod running;
mod slots;
mod step;

pub(crate) use execute::execute;
use pass::Pass;
pub(crate) use pass::{Backward, Forward};
pub(crate) use running::{Parts, Running};
