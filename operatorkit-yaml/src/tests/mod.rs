//! What a file may hold, and what becomes of it.

mod filling;
mod rules;
