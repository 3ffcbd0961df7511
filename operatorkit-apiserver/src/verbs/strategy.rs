//! What a kind adds to the verbs: its strategy if it is built in, its CRD if it is not.

use serde_json::Value;

use super::call::Call;
use crate::{
    builtin, conversion,
    crd::{self, CustomVersion},
    failure::{Failure, FieldError},
    kinds, object,
    registry::Served,
    store::{Draft, Stored},
    validation::{meta, names},
};

/// Which part of an object a request changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The object itself.
    Main,
    /// `/status`.
    Status,
    /// `/scale`: the replicas.
    Scale,
    /// `/finalize` of a namespace.
    Finalize,
    /// `/approval` of a CertificateSigningRequest.
    Approval,
    /// `/ephemeralcontainers` of a Pod.
    EphemeralContainers,
    /// `/resize` of a Pod.
    Resize,
    /// `/binding` of a Pod.
    Binding,
}

impl Part {
    /// The subresource's name; empty for the object itself.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Main => "",
            Self::Status => "status",
            Self::Scale => "scale",
            Self::Finalize => "finalize",
            Self::Approval => "approval",
            Self::EphemeralContainers => "ephemeralcontainers",
            Self::Resize => "resize",
            Self::Binding => "binding",
        }
    }
}

/// Whether the objects are CRDs themselves.
pub(crate) fn is_crd(served: &Served) -> bool {
    served.is("apiextensions.k8s.io", "customresourcedefinitions")
}

/// The strategy of a built-in resource; a general one if it has none of its own.
pub(crate) fn built_in(served: &Served) -> &'static kinds::Strategy {
    static NAMESPACED: kinds::Strategy = kinds::Strategy::NAMESPACED;
    static CLUSTER: kinds::Strategy = kinds::Strategy::CLUSTER;
    let general = if served.namespaced { &NAMESPACED } else { &CLUSTER };
    kinds::strategy(&served.group, &served.plural).unwrap_or(general)
}

/// A stored object as this version of the resource shows it.
pub(crate) fn show(served: &Served, stored: &Stored) -> Value {
    let mut object = stored.value(&served.api_version, &served.kind);
    if !served.converts {
        return object;
    }
    match served.custom() {
        Some(custom) => {
            // It may be stored in another version, or from before the schema changed.
            let _unknown = custom.decode(&mut object);
            custom.default(&mut object);
        }
        None => conversion::from_storage(&served.group, &served.version, &mut object),
    }
    object
}

/// What is stored for an object.
pub(crate) fn draft(served: &Served, object: &Value) -> Draft {
    if served.converts && served.custom().is_none() {
        let mut object = object.clone();
        conversion::to_storage(&served.group, &served.version, &mut object);
        let values = conversion::field_values(served, &object);
        return Draft::new(&object, values);
    }
    Draft::new(object, served.field_values(object))
}

/// Calls `with` with an object of a built-in kind in the form that is stored: strategies know no other.
pub(crate) fn in_storage_form<T>(served: &Served, object: &mut Value, with: impl FnOnce(&mut Value) -> T) -> T {
    if !served.converts {
        return with(object);
    }
    conversion::to_storage(&served.group, &served.version, object);
    let done = with(object);
    conversion::from_storage(&served.group, &served.version, object);
    done
}

/// What is set on a new object, and what is wrong with it.
pub(crate) fn before_create(call: &Call, new: &mut Value) -> Vec<FieldError> {
    if is_crd(&call.served) {
        crd::definition::prepare_create(new);
        let mut errors = meta::meta(new, false, names::path_segment);
        errors.extend(crd::check(new, None));
        if errors.is_empty() {
            crd::definition::warnings(new, None)
                .into_iter()
                .for_each(|warning| call.warn(warning));
        }
        return errors;
    }
    let Some(custom) = call.served.custom() else {
        let strategy = built_in(&call.served);
        let errors = in_storage_form(&call.served, new, |new| strategy.before_create(new));
        begin_phase(call, new, None);
        // The real server gives the defaults again whenever it reads what it has stored.
        builtin::apply_defaults(call.served.schema.get(), new);
        // What is refused is not warned of as well.
        if errors.is_empty() {
            strategy
                .warnings(new, None)
                .into_iter()
                .for_each(|warning| call.warn(warning));
        }
        return errors;
    };
    warn_of_finalizers(call, new, None);
    custom.prepare_create(new);
    let errors = custom.validate_create(new, meta::meta(new, custom.namespaced, names::subdomain_name));
    prune_as_stored(call, new);
    errors
}

/// When a volume came into its phase (KEP-3762).
fn begin_phase(call: &Call, new: &mut Value, old: Option<&Value>) {
    if call.served.is("", "persistentvolumes") && old.is_none_or(|old| old["status"]["phase"] != new["status"]["phase"])
    {
        new["status"]["lastPhaseTransitionTime"] = call.core.clock.seconds().into();
    }
}

/// What the real server says of a custom object's new finalizers whose names others might choose, too
/// (`registry/customresource/validator.go`).
fn warn_of_finalizers(call: &Call, new: &Value, old: Option<&Value>) {
    const STANDARD: [&str; 3] = ["orphan", "foregroundDeletion", "kubernetes"];
    for finalizer in object::finalizers(new) {
        let there = old.is_some_and(|old| object::finalizers(old).any(|it| it == finalizer));
        if there || finalizer.contains('/') || STANDARD.contains(&finalizer) {
            continue;
        }
        let including = if finalizer.contains('.') {
            " including a path (/)"
        } else {
            ""
        };
        call.warn(format!(
            "metadata.finalizers: {finalizer:?}: prefer a domain-qualified finalizer name{including} to avoid accidental conflicts \
             with other finalizer writers"
        ));
    }
}

/// What validating admission refuses of a new object that is well in itself.
pub(crate) fn accept(call: &Call, new: &Value) -> Result<(), Failure> {
    if call.served.is("", "pods") {
        super::runtime_class::check(call, new)?;
    }
    Ok(())
}

/// What mutating admission does to a new object.
pub(crate) fn admit(call: &Call, new: &mut Value) -> Result<(), Failure> {
    if call.served.is("", "pods") {
        super::priority::set(call, new)?;
        super::runtime_class::set(call, new)?;
    }
    if call.served.custom().is_none() {
        built_in(&call.served).admit_create(new);
    }
    super::limits::apply(call, new)
}

/// What is set on a changed object, and what is wrong with it.
pub(crate) fn before_update(call: &Call, part: Part, new: &mut Value, old: &Value) -> Vec<FieldError> {
    if is_crd(&call.served) {
        return before_crd_update(call, part, new, old);
    }
    let Some(custom) = call.served.custom() else {
        let strategy = built_in(&call.served);
        let errors = if call.served.converts {
            let mut old = old.clone();
            conversion::to_storage(&call.served.group, &call.served.version, &mut old);
            in_storage_form(&call.served, new, |new| before_built_in_update(call, part, new, &old))
        } else {
            before_built_in_update(call, part, new, old)
        };
        if errors.is_empty() && matches!(part, Part::Main | Part::Scale) {
            strategy
                .warnings(new, Some(old))
                .into_iter()
                .for_each(|warning| call.warn(warning));
        }
        return errors;
    };
    warn_of_finalizers(call, new, Some(old));
    let errors = before_custom_update(custom, part, new, old);
    prune_as_stored(call, new);
    errors
}

fn before_built_in_update(call: &Call, part: Part, new: &mut Value, old: &Value) -> Vec<FieldError> {
    let strategy = built_in(&call.served);
    strategy.admit_update(new);
    match part {
        Part::Main | Part::Scale => strategy.before_update(new, old),
        Part::Status => {
            let errors = strategy.before_status_update(new, old);
            begin_phase(call, new, Some(old));
            errors
        }
        Part::Finalize => kinds::namespace::before_finalize(new, old),
        Part::EphemeralContainers => kinds::pod::subresource::before_ephemeral_containers(new, old),
        Part::Approval | Part::Resize | Part::Binding => {
            strategy.before_subresource_update(new, old, |_, _| {}, |_, _| Vec::new())
        }
    }
}

fn before_crd_update(call: &Call, part: Part, new: &mut Value, old: &Value) -> Vec<FieldError> {
    if part == Part::Status {
        crd::definition::prepare_status_update(new, old);
    } else {
        crd::definition::prepare_update(new, old);
    }
    meta::keep_system_fields(new, old);
    let mut errors = meta::meta(new, false, names::path_segment);
    errors.extend(meta::meta_update(new, old));
    if part != Part::Status {
        errors.extend(crd::check(new, Some(old)));
        if errors.is_empty() {
            crd::definition::warnings(new, Some(old))
                .into_iter()
                .for_each(|warning| call.warn(warning));
        }
    }
    errors
}

/// What the version that is stored does not know is lost, whichever version it was written through.
fn prune_as_stored(call: &Call, object: &mut Value) {
    let catalog = call.core.registry.catalog();
    let mut versions = catalog.versions(&call.served.group, &call.served.plural);
    let stored = versions.find(|served| served.stored).filter(|_| !call.served.stored);
    if let Some(custom) = stored.and_then(|served| served.custom().cloned()) {
        crd::prune(custom.structural().get(), object);
    }
}

fn before_custom_update(custom: &CustomVersion, part: Part, new: &mut Value, old: &Value) -> Vec<FieldError> {
    let status = part == Part::Status;
    if status {
        custom.prepare_status_update(new, old);
    } else {
        custom.prepare_update(new, old);
    }
    meta::keep_system_fields(new, old);
    // Two parts of the real server look at the metadata, and both say what they find.
    let mut errors = meta::meta_update(new, old);
    errors.extend(meta::meta(new, custom.namespaced, names::path_segment));
    errors.extend(meta::meta_update(new, old));
    if status {
        custom.validate_status_update(new, old, errors)
    } else {
        custom.validate_update(new, old, errors)
    }
}

/// Whether a PUT of what is not there creates it.
pub(crate) fn creates_on_update(served: &Served) -> bool {
    served.custom().is_none() && built_in(served).create_on_update
}

/// Whether an update may leave out the resourceVersion.
pub(crate) fn allows_unconditional_update(served: &Served) -> bool {
    served.custom().is_none() && built_in(served).unconditional_update
}

/// Whether a deletion that says nothing of it leaves the dependents.
pub(crate) fn orphans_by_default(served: &Served) -> bool {
    served.custom().is_none() && built_in(served).propagation == kinds::Propagation::Orphan
}

/// Whether the answer to a deletion shows the object that is gone (`ReturnDeletedObject`).
pub(crate) fn shows_deleted(served: &Served) -> bool {
    const SHOWN: [(&str, &str); 9] = [
        ("", "namespaces"),
        ("", "persistentvolumeclaims"),
        ("", "persistentvolumes"),
        ("", "pods"),
        ("", "podtemplates"),
        ("", "resourcequotas"),
        ("", "serviceaccounts"),
        ("", "services"),
        ("storage.k8s.io", ""),
    ];
    let of_group =
        matches!(&*served.group, "storage.k8s.io" | "resource.k8s.io") && &*served.plural != "csistoragecapacities";
    of_group || SHOWN.iter().any(|(group, plural)| served.is(group, plural))
}
