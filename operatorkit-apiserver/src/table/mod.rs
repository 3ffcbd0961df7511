//! Rows and columns of `Table` (`meta.k8s.io/v1`), as the real server prints them, and `PartialObjectMetadata`.
//!
//! | module | what |
//! |---|---|
//! | [`kinds`] | the cells of the built-in kinds |
//! | [`custom`] | the cells of custom resources, by their `additionalPrinterColumns` |
//! | [`jsonpath`] | `JSONPath` in the dialect of Kubernetes |
//! | [`document`] | `Table`, `PartialObjectMetadata` and `PartialObjectMetadataList` documents |
//! | [`duration`] | ages: `5d12h` |

pub mod custom;
pub mod document;
pub mod duration;
pub mod jsonpath;
pub mod kinds;
mod selector;

#[cfg(test)]
mod tests;

pub use custom::Columns;
pub use document::{IncludeObject, Row, metadata_list, metadata_only, table};
pub use kinds::{cells, default_cells, row_conditions, rows, scale_columns};
