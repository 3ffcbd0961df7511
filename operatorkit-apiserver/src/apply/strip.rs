//! The fields that nobody owns: what every object has, and what the server sets.

use super::set::FieldSet;

/// The fields that no entry lists (`managedfields`, `stripmeta.go`).
pub(super) fn stripped() -> FieldSet {
    let metadata = [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ];
    let top = [vec!["apiVersion"], vec!["kind"], vec!["metadata"]];
    FieldSet::of_fields(top.into_iter().chain(metadata.map(|it| vec!["metadata", it])))
}
