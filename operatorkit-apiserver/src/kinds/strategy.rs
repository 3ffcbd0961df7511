//! What is done to an object of a built-in kind before it is stored (`k8s.io/apiserver/pkg/registry/rest`, `pkg/registry/*/*/strategy.go`).

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{edit, generation};
use crate::validation::{
    Errors, meta,
    names::{self, NameRule},
};

/// What a DELETE that names no policy does to the dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// They are collected.
    Background,
    /// They lose their owner.
    Orphan,
}

/// What is done to an object of one kind before it is stored. All functions are pure.
///
/// The order of the real server: decode, defaults, [`Strategy::admit_create`] (mutating admission plugins), system fields (`uid`,
/// `creationTimestamp`, a generated name), [`Strategy::before_create`], allocation, store.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts about a kind, each by itself")]
pub struct Strategy {
    /// Whether objects are in a namespace.
    pub namespaced: bool,
    /// The rule for names.
    pub name: NameRule,
    /// Whether there is a `status` subresource: `status` is kept from the old object but there.
    pub status: bool,
    /// The `status` of a new object, as JSON, where there is a `status` subresource.
    pub initial_status: &'static str,
    /// Whether an update of `status` keeps labels, annotations, finalizers and owners, too.
    pub status_keeps_meta: bool,
    /// Whether an update of `status` keeps the labels.
    pub status_keeps_labels: bool,
    /// The places, dots between names, whose change raises `metadata.generation`; none: it is left alone.
    pub generation: &'static [&'static str],
    /// Whether a PUT (or an apply) of what is not there creates it. An apply always does.
    pub create_on_update: bool,
    /// Whether an update may come without `resourceVersion`.
    pub unconditional_update: bool,
    /// What a DELETE without a policy does.
    pub propagation: Propagation,
    /// Whether a finalizer without a domain must be a known one.
    pub kube_finalizers: bool,
    /// Whether an update is asked for the rule of names, too, which a new `generateName` can fail.
    pub names_on_update: bool,
    /// Defaults that depend on other fields, on creation and update.
    pub defaults: fn(&mut Value),
    /// Mutating admission, on creation.
    pub admit: fn(&mut Value),
    /// Whether admission is the same on an update.
    pub admit_on_update: bool,
    /// What is the server's to set, on creation.
    pub prepare: fn(&mut Value),
    /// What is the server's to set, on update, after `status` and `generation` are seen to.
    pub prepare_update: fn(&mut Value, &Value),
    /// The same, on an update of `status`.
    pub prepare_status: fn(&mut Value, &Value),
    /// What is wrong with a new object beside `metadata`.
    pub validate: fn(&Value) -> Errors,
    /// What is wrong with an update, beside `metadata`; `validate` of the new object if absent.
    pub validate_update: Option<fn(&Value, &Value) -> Errors>,
    /// What is wrong with an update of `status`, beside `metadata`.
    pub validate_status: fn(&Value, &Value) -> Errors,
    /// What is done to an object that is well, last.
    pub canonicalize: fn(&mut Value),
    /// What the client is told in `Warning` headers, about a new object or an update.
    pub warn: fn(&Value, Option<&Value>) -> Vec<String>,
}

impl Strategy {
    /// A kind in namespaces without rules of its own.
    pub const NAMESPACED: Self = Self {
        namespaced: true,
        name: names::subdomain_name,
        status: false,
        initial_status: "{}",
        status_keeps_meta: false,
        status_keeps_labels: false,
        generation: &[],
        create_on_update: false,
        unconditional_update: true,
        propagation: Propagation::Background,
        kube_finalizers: true,
        names_on_update: false,
        defaults: |_| {},
        admit: |_| {},
        admit_on_update: false,
        prepare: |_| {},
        prepare_update: |_, _| {},
        prepare_status: |_, _| {},
        validate: |_| Errors::new(),
        validate_update: None,
        validate_status: |_, _| Errors::new(),
        canonicalize: |_| {},
        warn: |_, _| Vec::new(),
    };

    /// A kind of the cluster without rules of its own.
    pub const CLUSTER: Self = Self {
        namespaced: false,
        ..Self::NAMESPACED
    };

    /// Gives the defaults that depend on other fields; those that do not are data. On creation, and on an update before
    /// [`Self::before_update`].
    pub fn default_fields(&self, object: &mut Value) {
        (self.defaults)(object);
    }

    /// What admission plugins of the real server, those that are on by default, do to a new object.
    pub fn admit_create(&self, object: &mut Value) {
        (self.admit)(object);
    }

    /// What they do to an update, before [`Self::before_update`].
    pub fn admit_update(&self, object: &mut Value) {
        if self.admit_on_update {
            (self.admit)(object);
        }
    }

    /// Prepares and checks a new object. It has its `uid`, name and namespace; an object of the cluster loses its namespace.
    pub fn before_create(&self, object: &mut Value) -> Errors {
        self.prepare_create(object);
        let errors = self.validate_create(object);
        if errors.is_empty() {
            (self.canonicalize)(object);
        }
        errors
    }

    /// The first half of [`Self::before_create`].
    pub fn prepare_create(&self, object: &mut Value) {
        if !self.namespaced {
            edit::remove(object, &["metadata", "namespace"]);
        }
        if self.status {
            let status = serde_json::from_str(self.initial_status).unwrap_or_default();
            edit::set(object, &["status"], status);
        }
        if !self.generation.is_empty() {
            edit::set(object, &["metadata", "generation"], json!(1));
        }
        (self.prepare)(object);
    }

    /// The second half of [`Self::before_create`].
    pub fn validate_create(&self, object: &Value) -> Errors {
        let mut errors = meta::meta(object, self.namespaced, self.name);
        if self.kube_finalizers {
            errors.extend(meta::kube_finalizers(object));
        }
        errors.extend((self.validate)(object));
        unique(errors)
    }

    /// Prepares and checks an update of an object but its `status`.
    pub fn before_update(&self, new: &mut Value, old: &Value) -> Errors {
        self.take_from_old(new, old);
        if self.status {
            edit::keep(new, old, &["status"]);
        }
        (self.prepare_update)(new, old);
        if self.generation.iter().any(|it| generation::differs(new, old, it)) {
            let generation = edit::number(old, &["metadata", "generation"]);
            edit::set(new, &["metadata", "generation"], json!(generation + 1));
        }
        self.finish_update(new, old, self.validate_update)
    }

    /// Prepares and checks an update of `status`: all but `status` and `metadata` is kept.
    pub fn before_status_update(&self, new: &mut Value, old: &Value) -> Errors {
        self.take_from_old(new, old);
        keep_all_but_status(new, old);
        if self.status_keeps_meta {
            for name in ["labels", "annotations", "finalizers", "ownerReferences"] {
                edit::keep(new, old, &["metadata", name]);
            }
        }
        (self.prepare_status)(new, old);
        self.finish_update(new, old, Some(self.validate_status))
    }

    /// An update through another subresource: `prepare` and `validate` are that subresource's.
    pub fn before_subresource_update(
        &self,
        new: &mut Value,
        old: &Value,
        prepare: fn(&mut Value, &Value),
        validate: fn(&Value, &Value) -> Errors,
    ) -> Errors {
        self.take_from_old(new, old);
        prepare(new, old);
        self.finish_update(new, old, Some(validate))
    }

    fn take_from_old(&self, new: &mut Value, old: &Value) {
        if !self.namespaced {
            edit::remove(new, &["metadata", "namespace"]);
        }
        edit::keep(new, old, &["metadata", "generation"]);
    }

    fn finish_update(&self, new: &mut Value, old: &Value, validate: Option<fn(&Value, &Value) -> Errors>) -> Errors {
        meta::keep_system_fields(new, old);
        let mut errors = meta::meta(new, self.namespaced, names::path_segment);
        errors.extend(meta::meta_update(new, old));
        if self.kube_finalizers {
            errors.extend(meta::kube_finalizers(new));
        }
        if self.names_on_update {
            errors.extend(meta::generate_name(new, self.name));
        }
        match validate {
            Some(validate) => errors.extend(validate(new, old)),
            None => errors.extend((self.validate)(new)),
        }
        if errors.is_empty() {
            (self.canonicalize)(new);
        }
        unique(errors)
    }

    /// What the client is told about a new object, or an update of an old one.
    pub fn warnings(&self, new: &Value, old: Option<&Value>) -> Vec<String> {
        (self.warn)(new, old)
    }

    /// The fields that an apply does not own since the strategy resets them (`GetResetFields`), by subresource (empty: the object).
    pub fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "" if self.status => &[&["status"]],
            "status" if self.status_keeps_meta => &[&["metadata"], &["spec"]],
            "status" if self.status_keeps_labels => &[&["metadata", "labels"], &["spec"]],
            "status" => &[&["spec"]],
            _ => &[],
        }
    }
}

fn keep_all_but_status(new: &mut Value, old: &Value) {
    let stays = |key: &str| matches!(key, "metadata" | "status" | "kind" | "apiVersion");
    let Some(fields) = new.as_object_mut() else { return };
    fields.retain(|key, _| stays(key));
    for (key, value) in old.as_object().into_iter().flatten() {
        if !stays(key) {
            fields.insert(key.clone(), value.clone());
        }
    }
}

/// The same error is told once.
fn unique(errors: Errors) -> Errors {
    let mut seen = HashSet::new();
    errors.into_iter().filter(|it| seen.insert(it.to_string())).collect()
}
