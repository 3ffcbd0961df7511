//! Label selectors and field selectors.
//!
//! | module | what |
//! |---|---|
//! | [`label`] | label selectors: what they match, and how they are written |
//! | [`parse`] | label selectors as text |
//! | [`object`] | label selectors as objects: `matchLabels`, `matchExpressions` |
//! | [`requirement`] | one condition of a label selector |
//! | [`syntax`] | what a label's key and value look like |
//! | [`field`] | field selectors |
//! | [`fields`] | the fields that the built-in kinds are selected by |

pub mod field;
pub mod fields;
pub mod label;
mod object;
mod parse;
pub mod requirement;
mod syntax;

pub use field::FieldSelector;
pub use label::LabelSelector;
pub use requirement::{Operator, Requirement};

#[cfg(test)]
mod tests;
