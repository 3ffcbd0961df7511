//! What draws the values of one field.

use proptest::{strategy::BoxedStrategy, strategy::Strategy as _, string::string_regex};
use serde::Serialize;
use serde_json::Value;

/// What the values of a field are drawn from: a strategy, or a regular expression for strings.
#[derive(Clone, Debug)]
pub struct Drawn(pub(super) BoxedStrategy<Value>);

impl<T: Serialize + std::fmt::Debug + 'static> From<BoxedStrategy<T>> for Drawn {
    fn from(strategy: BoxedStrategy<T>) -> Self {
        let json =
            |drawn| serde_json::to_value(drawn).unwrap_or_else(|error| panic!("what is drawn is no JSON: {error}"));
        Self(strategy.prop_map(json).boxed())
    }
}

impl From<&str> for Drawn {
    /// # Panics
    /// If no strings can be drawn from it.
    fn from(regex: &str) -> Self {
        let texts = string_regex(regex).unwrap_or_else(|error| panic!("no strings can be drawn from {regex}: {error}"));
        texts.boxed().into()
    }
}
