//! Rows as the real server (1.37.2) printed them, and their objects: `facts.json`, `custom.json`.

mod custom;
mod document;
mod duration;
mod facts;

use jiff::Timestamp;

/// A moment of the tests.
fn at(moment: &str) -> Timestamp {
    moment.parse().unwrap()
}
