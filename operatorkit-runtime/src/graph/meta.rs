//! What `#[resource]` says about a resource, as a constant.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A resource's place in the graph and its settings.
///
/// It refers to other resources by name only, so that a cycle is found by our checks and not by the compiler (E0391).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The resource's name, a label value.
    pub name: &'static str,
    /// It waits for every resource with a lower number.
    pub order: Option<i64>,
    /// When it is deleted it waits until every resource with a lower number is gone.
    pub delete_order: Option<i64>,
    /// It waits for these, and may read their outputs.
    pub after: &'static [&'static str],
    /// When it is deleted it waits until these are gone.
    pub delete_after: &'static [&'static str],
    /// What else is set.
    pub settings: Settings,
}

/// What else a resource can set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key that stands or does not, and they are independent"
)]
pub struct Settings {
    /// `namespaces = any`: its children may be outside of the object's namespace.
    pub any_namespace: bool,
    /// `recover = "manual"`: the provider cannot be asked for the thing with a token.
    pub manual_recovery: bool,
    /// `on_delete = "keep"`: what it made is left behind when it would be deleted.
    pub keep: bool,
    /// `retired`: it is never applied, and what it made is deleted.
    pub retired: bool,
    /// `optional`: while the kind of its children is not served it counts as resolved without children.
    pub optional: bool,
    /// `adopt`: what exists without an owner is taken over.
    pub adopt: bool,
    /// `replace = "recreate"`: a child whose change is refused, because a field is immutable, is deleted and made again.
    pub recreate: bool,
    /// `ready_within = ".."`: a wait that lasts longer is shown as failed.
    pub ready_within: Option<Duration>,
    /// `delete_propagation = ".."`; `None`: the policy follows from the kind.
    pub delete_propagation: Option<Propagation>,
    /// `owner_reference`: children carry one, so that the garbage collector knows them, too.
    pub owner_reference: bool,
    /// `initial(..)`: JSON pointers to fields that are sent at creation only.
    pub initial: &'static [&'static str],
}

/// What becomes of the dependents of a child that is deleted (meta/v1, `DeletionPropagation`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Propagation {
    /// They are deleted first.
    Foreground,
    /// They are deleted afterwards.
    Background,
    /// They stay.
    Orphan,
}

impl Settings {
    /// Nothing is set.
    const NONE: Self = Self {
        any_namespace: false,
        manual_recovery: false,
        keep: false,
        retired: false,
        optional: false,
        adopt: false,
        recreate: false,
        ready_within: None,
        delete_propagation: None,
        owner_reference: false,
        initial: &[],
    };
}

impl Meta {
    /// A resource that says nothing about its place.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            order: None,
            delete_order: None,
            after: &[],
            delete_after: &[],
            settings: Settings::NONE,
        }
    }

    /// `order = n`.
    #[must_use]
    pub const fn order(mut self, order: i64) -> Self {
        self.order = Some(order);
        self
    }

    /// `delete_order = n`.
    #[must_use]
    pub const fn delete_order(mut self, delete_order: i64) -> Self {
        self.delete_order = Some(delete_order);
        self
    }

    /// `after(..)`.
    #[must_use]
    pub const fn after(mut self, after: &'static [&'static str]) -> Self {
        self.after = after;
        self
    }

    /// `delete_after(..)`.
    #[must_use]
    pub const fn delete_after(mut self, delete_after: &'static [&'static str]) -> Self {
        self.delete_after = delete_after;
        self
    }

    /// `namespaces = any`.
    #[must_use]
    pub const fn any_namespace(mut self) -> Self {
        self.settings.any_namespace = true;
        self
    }

    /// `recover = "manual"`.
    #[must_use]
    pub const fn manual_recovery(mut self) -> Self {
        self.settings.manual_recovery = true;
        self
    }

    /// `on_delete = "keep"`.
    #[must_use]
    pub const fn keep(mut self) -> Self {
        self.settings.keep = true;
        self
    }

    /// `retired`.
    #[must_use]
    pub const fn retired(mut self) -> Self {
        self.settings.retired = true;
        self
    }

    /// `optional`.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.settings.optional = true;
        self
    }

    /// `adopt`.
    #[must_use]
    pub const fn adopt(mut self) -> Self {
        self.settings.adopt = true;
        self
    }

    /// `replace = "recreate"`.
    #[must_use]
    pub const fn recreate(mut self) -> Self {
        self.settings.recreate = true;
        self
    }

    /// `ready_within = ".."`.
    #[must_use]
    pub const fn ready_within(mut self, time: Duration) -> Self {
        self.settings.ready_within = Some(time);
        self
    }

    /// `delete_propagation = ".."`.
    #[must_use]
    pub const fn delete_propagation(mut self, propagation: Propagation) -> Self {
        self.settings.delete_propagation = Some(propagation);
        self
    }

    /// `owner_reference`.
    #[must_use]
    pub const fn owner_reference(mut self) -> Self {
        self.settings.owner_reference = true;
        self
    }

    /// `initial(..)`: JSON pointers (RFC 6901).
    #[must_use]
    pub const fn initial(mut self, pointers: &'static [&'static str]) -> Self {
        self.settings.initial = pointers;
        self
    }
}
