//! What the documents in the repository say of its tests.

mod parity;
