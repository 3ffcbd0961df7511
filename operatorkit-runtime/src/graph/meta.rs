//! What `#[resource]` says about a resource, as a constant.

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
pub struct Settings {
    /// `namespaces = any`: its children may be outside of the object's namespace.
    pub any_namespace: bool,
    /// `recover = "manual"`: the provider cannot be asked for the thing with a token.
    pub manual_recovery: bool,
}

impl Meta {
    /// A resource that says nothing about its place.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let settings = Settings {
            any_namespace: false,
            manual_recovery: false,
        };
        Self {
            name,
            order: None,
            delete_order: None,
            after: &[],
            delete_after: &[],
            settings,
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
}
