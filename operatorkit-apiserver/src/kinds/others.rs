//! Kinds of which only the shape of the strategy is known here: status, generation, how they are updated. Of their fields beside `metadata`
//! what the schema says is checked elsewhere, and no more.

use super::strategy::Strategy;
use crate::validation::{At, Errors, names};

/// In a namespace, without a status.
pub(super) static NAMESPACED: Strategy = Strategy::NAMESPACED;
/// Of the cluster, without a status.
pub(super) static CLUSTER: Strategy = Strategy::CLUSTER;

/// With a status, whose update keeps the metadata; `generation` is left alone.
const STATUS: Strategy = Strategy {
    status: true,
    status_keeps_meta: true,
    ..Strategy::CLUSTER
};

/// `APIService`.
pub(super) static API_SERVICE: Strategy = Strategy {
    unconditional_update: false,
    name: names::path_segment,
    validate: |object| {
        let root = At::root(object);
        let (spec, name) = (root.get("spec"), root.get("metadata").get("name"));
        let required = format!("{}.{}", spec.get("version").text(), spec.get("group").text());
        let mut errors = Errors::new();
        if !name.is(&required) {
            errors.push(name.invalid(format!("must be `spec.version+\".\"+spec.group`: {required:?}")));
        }
        for (field, least) in [("groupPriorityMinimum", 20_000), ("versionPriority", 1000)] {
            let at = spec.get(field);
            if at.number() <= 0 || at.number() > least {
                errors.push(
                    at.with(&at.number().into())
                        .invalid(format!("must be positive and less than {least}")),
                );
            }
        }
        errors
    },
    ..STATUS
};

/// `CertificateSigningRequest`: its spec stays.
pub(super) static CERTIFICATE_SIGNING_REQUEST: Strategy = Strategy {
    status: true,
    prepare_update: |new, old| super::edit::keep(new, old, &["spec"]),
    ..Strategy::CLUSTER
};

/// `FlowSchema` and `PriorityLevelConfiguration`.
pub(super) static FLOW_CONTROL: Strategy = Strategy {
    generation: &["spec"],
    ..STATUS
};

/// Of the cluster, with a status.
pub(super) static CLUSTER_STATUS: Strategy = STATUS;

/// In a namespace, with a status.
pub(super) static NAMESPACED_STATUS: Strategy = Strategy {
    namespaced: true,
    ..STATUS
};

/// Of the cluster, with a generation of its spec.
pub(super) static CLUSTER_GENERATION: Strategy = Strategy {
    generation: &["spec"],
    ..Strategy::CLUSTER
};

/// `CSIStorageCapacity`.
pub(super) static CSI_STORAGE_CAPACITY: Strategy = Strategy {
    unconditional_update: false,
    validate_update: Some(|new, old| {
        let (root, before) = (At::root(new), At::root(old));
        let fields = ["nodeTopology", "storageClassName"];
        fields
            .iter()
            .filter_map(|it| root.get(it).immutable(&before.get(it)))
            .collect()
    }),
    ..Strategy::NAMESPACED
};
