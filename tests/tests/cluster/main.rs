//! Operators on a real control plane. One binary, one control plane, a namespace and kinds of its own for each test.

mod cut;
mod logs;
mod scene;

mod deletion;
mod drift;
mod external;
mod flow;
mod identity;
mod order;
mod scopes;
mod prune;
mod trouble;

use operatorkit as _;
