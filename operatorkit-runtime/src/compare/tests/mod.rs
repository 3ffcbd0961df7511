//! Tests of the comparison: words of the rule, answers of a real API server, properties.

mod lists;
mod properties;
mod quantities;
mod real;
mod sending;
mod values;
