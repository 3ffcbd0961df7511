//! The three traits of which a resource implements exactly one.

mod child;
mod children;
mod desired;
mod external;
mod manifest;
mod step;

pub use child::Child;
pub(crate) use child::ChildKind;
pub use children::Children;
pub use desired::Desired;
pub use external::{External, Observed};
pub use manifest::Manifest;
pub use step::Step;
