//! What a resource's methods are given: `Cx` forwards, `DeleteCx` backwards.

mod delete;
mod events;
mod forward;
mod outputs;
mod read;
mod scope;
mod trigger;
mod value;

pub use delete::DeleteCx;
pub use events::ObjectEvents;
pub use forward::Cx;
pub use outputs::Prior;
pub(crate) use outputs::{NotThere, Outputs};
pub(crate) use scope::Scope;
pub use trigger::{Trigger, Triggers};
pub use value::{HasValue, PassValue, ValueCx};
pub(crate) use value::{Maker, Value};
