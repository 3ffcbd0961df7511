//! What a Kubernetes API server does, written once and run against several: the specification of `operatorkit-apiserver`.
//!
//! Most of it stands in `cases/*.http`: requests, and below each the answer that kube-apiserver 1.37 gives (`script` has the
//! form). What a file of requests cannot say stands in Rust. Every test has a namespace and an API group of its own, and
//! they run side by side.
//!
//! | to | do |
//! |---|---|
//! | run one file of cases | `cargo test -p operatorkit-tests --test apiserver crd_names` |
//! | run one case of it | the same with `CONFORMANCE_CASE='part of its title'` |
//! | let the real server write the answers | the same with `CONFORMANCE_BLESS=1`; then read the diff |

mod differential;
mod in_process;
mod script;
mod server;
mod targets;

mod expired;
mod wire;

use operatorkit as _;

targets::scripts! {
    Apart {
        apply_custom,
        crd_cel,
        crd_columns,
        crd_discovery,
        crd_life,
        crd_names,
        crd_objects,
        crd_prune,
        crd_schema,
        crd_subresources,
        crd_validate,
        crd_versions,
        kinds,
    }
    Whole {
        access,
        apply_basic,
        apply_lists,
        apply_updates,
        create,
        delete,
        discovery,
        dry_run,
        endpoints,
        events,
        field_validation,
        gc,
        gc_policies,
        list,
        list_pages,
        media,
        namespaces,
        patch_json,
        patch_merge,
        patch_strategic,
        read,
        secrets,
        services,
        table,
        update,
        validate_metadata,
        validate_pods,
        validate_workloads,
        watch,
        watch_initial,
        workloads,
        workloads_sets,
    }
}
