//! The tests that need several crates of operatorkit, and a user of it whose lints are strict.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    unused_results,
    warnings
)]
#![deny(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::absolute_paths,
    clippy::allow_attributes,
    clippy::arithmetic_side_effects,
    clippy::default_trait_access,
    clippy::expect_used,
    clippy::pattern_type_mismatch,
    clippy::shadow_reuse,
    clippy::str_to_string,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

pub mod strict;
