//! Selectors as a real server of 1.37 reads them.

mod field;
mod label;
