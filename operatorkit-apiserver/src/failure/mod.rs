//! Why a request is refused: the `Status` bodies of the real server, with its reasons, codes and causes.
//!
//! | module | what |
//! |---|---|
//! | [`status`] | [`Failure`], and one constructor for each reason |
//! | [`field`] | errors about one field, in the words of the real server's `field` package |
//! | [`path`] | the place of a field: `spec.containers[0].name` |

pub mod field;
pub mod path;
pub mod status;

pub use field::FieldError;
pub use path::FieldPath;
pub use status::{Cause, Failure, Target};
