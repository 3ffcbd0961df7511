//! Operators on a real control plane. One binary, one control plane, a namespace and kinds of its own for each test.

mod cut;
mod logs;
mod scene;
mod webapps;

mod app;
mod costs;
mod crash;
mod deletion;
mod drift;
mod existing;
mod external;
mod flow;
mod identity;
mod kinds;
mod order;
mod pause;
mod prune;
mod scopes;
mod status;
mod trouble;

use operatorkit as _;
