//! The paths of a resource.

use serde_json::{Map, Value};

use super::{
    Resource, Subresource,
    component::{Components, Names},
    operation::{Action, Operation},
    parameter,
};

/// Adds the paths of a resource.
pub(super) fn add(
    paths: &mut Map<String, Value>,
    resource: &Resource<'_>,
    names: &Names,
    components: &mut Components<'_>,
) {
    let kind = &resource.kind;
    let root = if kind.group.is_empty() {
        format!("/api/{}", kind.version)
    } else {
        format!("/apis/{}/{}", kind.group, kind.version)
    };
    let everywhere = format!("{root}/{}", resource.plural);
    let collection = if resource.namespaced {
        format!("{root}/namespaces/{{namespace}}/{}", resource.plural)
    } else {
        everywhere.clone()
    };
    let mut add = |path: &str, actions: &[Action], sub: Option<&Subresource<'_>>| {
        let operation = Operation::new(resource, names, sub, path == everywhere && resource.namespaced);
        let operations = operation.all(actions, components);
        if !operations.is_empty() {
            let mut item = operations;
            item.insert("parameters".into(), parameter::of_path(path));
            paths.insert(path.to_owned(), item.into());
        }
    };
    let one = format!("{collection}/{{name}}");
    add(&everywhere, &[Action::List], None);
    add(
        &collection,
        &[Action::List, Action::Create, Action::DeleteCollection],
        None,
    );
    add(
        &one,
        &[Action::Get, Action::Update, Action::Patch, Action::Delete],
        None,
    );
    for sub in &resource.subresources {
        let path = format!("{one}/{}", sub.name);
        add(
            &path,
            &[Action::Get, Action::Update, Action::Patch, Action::Create],
            Some(sub),
        );
    }
}
