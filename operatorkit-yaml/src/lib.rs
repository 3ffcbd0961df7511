//! Kubernetes objects in YAML with placeholders.
//!
//! A file is parsed as YAML first, and only its scalars are filled afterwards: whatever a value holds, it cannot become another key, another
//! document or another object. The same rules are applied by the attributes of operatorkit, when a user compiles, and by its runtime.
//!
//! Data flows one way: `tree` (a text as values with their places) → `judge` (the rules) → [`Template`] → `fill` (values in place of
//! placeholders). Users depend on the facade, `operatorkit`, with the feature `yaml`.

mod fill;
mod judge;
mod placeholder;
mod problem;
mod scan;
mod template;
#[cfg(test)]
mod tests;
mod tree;

pub use fill::Values;
pub use problem::Problem;
pub use template::{Named, Template};
