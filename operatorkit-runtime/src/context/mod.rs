//! What a resource's methods are given: `Cx` forwards, `DeleteCx` backwards.

mod delete;
mod events;
mod forward;
mod outputs;
mod scope;
mod trigger;

pub use delete::DeleteCx;
pub use events::ObjectEvents;
pub use forward::Cx;
pub use outputs::Prior;
pub(crate) use outputs::{NotThere, Outputs};
pub(crate) use scope::Scope;
pub use trigger::{Trigger, Triggers};
