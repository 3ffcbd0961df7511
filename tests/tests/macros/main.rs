//! The attributes: what they refuse, what they expand to, and names that could collide.

mod hygiene;
mod nested;
mod paths;
mod schema;
mod shapes;
mod ui;
mod visibility;
