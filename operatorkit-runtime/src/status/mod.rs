//! The status as shown: conditions, a line per resource, and the user's own fields.

mod condition;
mod definition;
mod draft;
mod line;
mod shown;

pub use condition::Condition;
pub(crate) use condition::Verdict;
pub use definition::definition;
pub(crate) use draft::{Draft, Shown};
pub(crate) use line::NOT_READY_IN_TIME;
pub use line::{Phase, ResourceStatus};
pub(crate) use shown::OUR_FIELDS;
pub use shown::{NoStatus, Status, Stored};
