//! Which stored objects a client has selected.

use std::sync::Arc;

use crate::{
    failure::Failure,
    registry::Served,
    request::ListOptions,
    selector::{FieldSelector, LabelSelector, fields::Resource},
    store::Stored,
};

/// Which stored objects a client has selected: by labels, by fields, by name.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector,
    served: Arc<Served>,
    name: Option<String>,
}

impl Selection {
    /// What these options select; `name` limits it to one object.
    pub(crate) fn new(options: &ListOptions, served: &Arc<Served>, name: Option<String>) -> Result<Self, Failure> {
        let labels = LabelSelector::parse(&options.label_selector)?;
        let fields = FieldSelector::parse(&options.field_selector)?;
        let resource = Resource {
            group: &served.group,
            version: &served.version,
            plural: &served.plural,
            kind: &served.kind,
            namespaced: served.namespaced,
            custom: served.custom().is_some(),
        };
        for label in fields.labels() {
            let known = resource.has_metadata(label) || served.fields.iter().any(|field| *field.label == *label);
            if !known {
                return Err(Failure::bad_request(resource.unsupported(label)));
            }
        }
        Ok(Self {
            labels,
            fields,
            served: served.clone(),
            name,
        })
    }

    /// Whether nothing is left out.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty() && self.name.is_none()
    }

    /// Whether this object is selected.
    pub(crate) fn matches(&self, stored: &Stored) -> bool {
        let key = stored.key();
        self.name.as_deref().is_none_or(|name| *key.name == *name)
            && self.labels.matches(|label| {
                let found = stored.labels().binary_search_by(|(key, _)| (**key).cmp(label)).ok()?;
                Some(&*stored.labels()[found].1)
            })
            && self.fields.matches(|label| match label {
                "metadata.name" => key.name.to_string(),
                "metadata.namespace" => key.namespace.to_string(),
                label => {
                    let index = self.served.fields.iter().position(|field| *field.label == *label);
                    index
                        .and_then(|index| stored.fields().get(index))
                        .map(ToString::to_string)
                        .unwrap_or_default()
                }
            })
    }
}
