//! Bodies as a real server of 1.37 reads them.

mod body;
pub(crate) mod openapi;
mod scalar;
