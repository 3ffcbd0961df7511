//! What is stored in the cluster (design, section 6): names, marks, the inventory and the slots of `External`s.

mod inventory;
mod mark;
mod names;
mod slot;

pub(crate) use inventory::{Inventory, StoredKind, StoredNode};
pub(crate) use mark::{Identity, Mark, Proof, is_unowned, prove};
pub(crate) use names::{
    HASH_ANNOTATION, INITIAL_ANNOTATION, LEGACY_PAUSE_ANNOTATION, MARK_ANNOTATION, Names, OPERATOR_LABEL, OWNER_LABEL,
    PAUSE_ANNOTATIONS, RESOURCE_LABEL, child_name, hashed, operator_name,
};
pub use slot::{Decision, Token};
pub(crate) use slot::{SLOT_MAX, Slot};
