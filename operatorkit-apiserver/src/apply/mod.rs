//! Server-side apply, and what updates own: `metadata.managedFields` as the real server keeps it.
//!
//! It does what `structured-merge-diff` v6 and `k8s.io/apimachinery/pkg/util/managedfields` do, driven by
//! [`Schema`](crate::schema::Schema).
//!
//! | module | what |
//! |---|---|
//! | [`update()`], [`apply()`] | the entry points: what a write owns; an apply |
//! | [`keep_times`] | a change of nothing but times is none |
//! | [`FieldSet`], [`PathElement`] | sets of fields, and `fieldsV1` |
//! | `managed`, `manager` | the entries of `managedFields` |
//! | `updater`, `prune`, `conflict` | who owns what after a change, what goes, who is in the way |
//! | `atom`, `atom_of_node`, `object_meta`, `item`, `zero` | how structured-merge-diff sees a schema |
//! | `conform`, `mentioned`, `compare`, `merge`, `sides`, `remove`, `reconcile` | walks over values and schema |
//! | `order`, `go` | how values compare, and how Go prints them |
//!
//! # What the caller does
//!
//! - It decodes bodies. Numbers that are whole are to be integers, also those of YAML.
//! - Before [`update()`]: the new object is decoded and has its defaults; after it come strategy, admission and validation.
//! - After [`apply()`]: the object is taken as the body of an update. Built-in kinds drop nulls and get their defaults only
//!   then. The one default that counts before is that of key fields of list items (`protocol: TCP`): it is read from
//!   [`Node::default`](crate::schema::Node::default), that of the published schema, the zeros of required fields (`""`, `0`) included.
//! - For built-in kinds, `default: {}` and `required` of the published schema have to be in it: they say which structs are
//!   always there, and are owned by nobody as a whole.
//! - `/scale` has objects and managers of its own: [`Scale`] carries entries over and back.
//! - Depth is that of the given values; the walks recurse as deep as the values do, so the decoder has to bound it.

mod atom;
mod atom_of_node;
mod compare;
mod conflict;
mod conform;
mod element;
mod fields_v1;
mod go;
mod item;
mod last_applied;
mod managed;
mod manager;
mod mentioned;
mod merge;
mod mismatch;
mod object_meta;
mod order;
mod prune;
mod reconcile;
mod remove;
mod request;
mod scale;
mod server_side;
mod set;
mod sides;
mod strip;
mod times;
mod update;
mod updater;
mod version;
mod zero;

#[cfg(test)]
mod tests;

pub use self::{
    element::PathElement,
    request::Request,
    scale::Scale,
    server_side::apply,
    set::FieldSet,
    times::keep_times,
    update::update,
    version::{Inconvertible, OneVersion, SameShape, Versions},
};
