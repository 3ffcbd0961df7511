//! Who owns which fields: what a request must tell server-side apply of its resource.

use serde_json::Value;

use super::{
    call::Call,
    strategy::{self, Part},
};
use crate::{apply, registry::Served, request::WriteOptions};

/// Writes into `managedFields` what this request comes to own; `old` is `null` for a create.
pub(crate) fn own(call: &Call, part: Part, new: &mut Value, old: Option<&Value>, options: &WriteOptions) {
    let manager = call.manager(&options.field_manager);
    with_request(call, part, &manager, |request| apply::update(old, new, request));
    if part == Part::Scale && call.served.custom().is_some() {
        // Entries that are carried over from a `Scale` have no time.
        let entries = new["metadata"]["managedFields"].as_array_mut().into_iter().flatten();
        entries
            .filter(|entry| entry["subresource"] == "scale")
            .filter_map(Value::as_object_mut)
            .for_each(|entry| {
                entry.remove("time");
            });
    }
}

/// Calls `with` with what server-side apply must know of a request.
pub(crate) fn with_request<T>(
    call: &Call,
    part: Part,
    manager: &str,
    with: impl FnOnce(&apply::Request<'_>) -> T,
) -> T {
    let served = &call.served;
    let reset = reset(served, part);
    let catalog = call.core.registry.catalog();
    let all: Vec<_> = catalog.versions(&served.group, &served.plural).collect();
    let shapes = apply::SameShape(all.iter().map(|it| (it.api_version.clone(), it.schema.get())).collect());
    let versions: &dyn apply::Versions = if served.custom().is_some() {
        &shapes
    } else {
        &apply::OneVersion
    };
    with(&apply::Request {
        manager,
        api_version: &served.api_version,
        kind: &served.kind,
        subresource: part.name(),
        now: call.core.clock.now(),
        schema: served.schema.get(),
        versions,
        reset: Some(&reset),
        built_in: served.custom().is_none(),
    })
}

fn reset(served: &Served, part: Part) -> apply::FieldSet {
    let fields: &[&[&str]] = match served.custom() {
        None => strategy::built_in(served).reset_fields(part.name()),
        Some(custom) if custom.status && part == Part::Main => &[&["status"]],
        // The status is all that counts there.
        Some(custom) if custom.status && part == Part::Status => {
            let structural = custom.structural();
            let others = structural
                .get()
                .node()
                .properties
                .keys()
                .map(ToString::to_string)
                .collect::<Vec<_>>();
            let others = others.into_iter().filter(|name| name != "status");
            let others = others.chain(["metadata".to_owned()]);
            return apply::FieldSet::of_fields(others.map(|name| [name]));
        }
        Some(_) => &[],
    };
    apply::FieldSet::of_fields(fields)
}
