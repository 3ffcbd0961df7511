//! Patches as a real server of 1.37 applies them.

mod law;
mod replay;
