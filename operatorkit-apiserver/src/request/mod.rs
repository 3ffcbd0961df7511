//! What a request asks for: the path, the verb and the options, before anything is known of the object.
//!
//! | module | what |
//! |---|---|
//! | [`path`] | `/apis/apps/v1/namespaces/a/deployments/b/scale` in its parts |
//! | [`query`] | `?limit=5&labelSelector=…` |
//! | [`info`] | what a request asks for, and who asks |
//! | [`options`] | the options of writes, lists and watches |

pub mod info;
pub mod options;
pub mod path;
pub mod query;

pub use info::RequestInfo;
pub use options::{DeleteOptions, ListOptions, WriteOptions};
pub use path::{Path, Place};
pub use query::Query;
