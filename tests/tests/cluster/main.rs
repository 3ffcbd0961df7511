//! Operators on the embedded server and on the real control plane, one of each for all tests; a namespace and kinds of its own for
//! each test.

#![allow(
    clippy::unwrap_used,
    reason = "tests that run on both servers are no `#[test]`s themselves"
)]

mod before;
mod cut;
mod kubectl;
mod logs;
mod scene;
mod servers;
mod webapps;

mod app;
mod client;
mod costs;
mod crash;
mod deletion;
mod drift;
mod events;
mod existing;
mod external;
mod failures;
mod flow;
mod former;
mod identity;
mod keep;
mod kinds;
mod layers;
mod leader;
mod metrics;
mod namespaces;
mod optional;
mod order;
mod orphans;
mod parity;
mod pause;
mod policies;
mod prune;
mod reads;
mod release;
mod reporting;
mod resync;
mod retired;
mod rights;
mod schema;
mod scopes;
mod selection;
mod single;
mod status;
mod trouble;
mod value;
mod yaml;

use operatorkit as _;
