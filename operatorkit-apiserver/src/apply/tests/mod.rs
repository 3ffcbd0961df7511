//! Cases taken from the real server, and properties of sets and applies.

mod properties;
mod random;
mod replay;
mod same;
mod scale;
mod schemas;
mod sets;
mod times;
