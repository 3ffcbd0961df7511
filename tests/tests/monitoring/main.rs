//! What is in `monitoring/`: alert rules and a dashboard, held against what an operator really shows.
//!
//! | module | what |
//! |---|---|
//! | [`promtool`] | Prometheus' own tool: rules, their tests, and the exposition |
//! | [`names`] | metrics and labels that rules and dashboard use |
//! | [`scraped`] | the exposition of an operator that has worked |

mod names;
mod promtool;
mod scraped;

use operatorkit as _;
