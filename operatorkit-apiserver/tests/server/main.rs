//! The server as a whole, by its public interface: what is its own, and what the conformance suite cannot ask of a real one.
//!
//! | module | what |
//! |---|---|
//! | [`client`] | a client in process |
//! | [`objects`] | what is created |
//! | [`faults`], [`disturbed`], [`counting`] | every fault of requests and of watches, and which requests meet one |
//! | [`tap`] | what is recorded, and in which order |
//! | [`time`] | tokio's paused clock: timeouts, bookmarks, expiry |
//! | [`alone`] | several servers, seeds, the end of a server, panics |
//! | [`compaction`] | versions that are forgotten |
//! | [`settled`] | waiting for the controllers |
//! | [`kept`] | state between runs |
//! | [`crowd`] | many watches |
//! | [`limits`] | what is too large, too deep, or not there |
//! | [`fuzz`] | requests of all sorts, most of them wrong |

mod alone;
mod client;
mod compaction;
mod counting;
mod crowd;
mod disturbed;
mod faults;
mod fuzz;
mod kept;
mod limits;
mod objects;
mod settled;
mod tap;
mod time;
