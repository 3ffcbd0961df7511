//! From a request to its answer.
//!
//! | module | what |
//! |---|---|
//! | [`service`] | the `tower::Service` |
//! | [`body`] | the bytes of an answer, and the bytes of a request |
//! | [`handle`] | the way of one request: who, whether, what, answer |
//! | [`dispatch`] | from verb and resource to what is done |
//! | [`document`] | what is no resource: discovery, OpenAPI, health |
//! | [`answer`] | the form of an answer |
//! | [`events`] | the events of a watch as a body |
//! | [`form`] | how objects are shown |
//! | [`open_api_v2`] | the document of OpenAPI that describes nothing |
//! | [`interfere`] | faults in the events of a watch |
//! | `panic` | what becomes of a panic |
//! | [`route`] | which methods the path of a resource has |

mod answer;
pub(crate) mod body;
mod dispatch;
mod document;
mod events;
mod form;
mod handle;
mod interfere;
mod open_api_v2;
mod panic;
mod route;
mod service;

pub use body::{Body, Dropped};
pub use service::ApiService;
