//! Role based access control: who may do what, by Roles, ClusterRoles and their bindings. Pure.
//!
//! | module | what |
//! |---|---|
//! | [`policy`] | [`Policy`]: all roles and bindings, and what they allow |
//! | [`rule`] | one rule |
//! | [`escalation`] | nobody hands out what they do not have |
//! | [`aggregation`] | ClusterRoles that are made of others |
//! | [`bootstrap`](mod@bootstrap) | the roles and bindings that every cluster has |

pub mod aggregation;
mod binding;
pub mod bootstrap;
mod cover;
pub mod escalation;
pub mod policy;
pub mod rule;
#[cfg(test)]
mod tests;

pub use aggregation::aggregate;
pub use bootstrap::bootstrap;
pub use policy::Policy;
pub use rule::PolicyRule;
