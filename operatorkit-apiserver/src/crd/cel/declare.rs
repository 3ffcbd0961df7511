//! The CEL types of schemas (`k8s.io/apiserver/pkg/cel/common`).

use super::{
    escape::{escape, is_reserved},
    kind::Kind,
};
use crate::schema::{Schema, Type};

/// The type of the values of a schema; `None` if rules cannot see them. `root`: whether it is a resource.
pub(super) fn kind_of(schema: Schema<'_>, root: bool) -> Option<Kind> {
    Some(match schema.type_ {
        Type::Any => return None,
        Type::IntOrString => Kind::Dyn,
        Type::Boolean => Kind::Bool,
        Type::Integer => Kind::Int,
        Type::Number => Kind::Double,
        Type::String => match schema.format.as_deref() {
            Some("byte") => Kind::Bytes,
            Some("duration") => Kind::Duration,
            Some("date" | "date-time") => Kind::Timestamp,
            _ => Kind::Text,
        },
        Type::Array => {
            let items = schema.items()?;
            Kind::list(kind_of(items, items.embedded_resource)?)
        }
        Type::Object => match schema
            .additional()
            .filter(|it| it.type_ != Type::Any || it.rules.is_some())
        {
            Some(values) if schema.properties.is_empty() && !root => {
                Kind::map(Kind::Text, kind_of(values, values.embedded_resource)?)
            }
            _ => Kind::Object(schema.id(), root),
        },
    })
}

/// The type of a field of an object; `None` if rules cannot see it. The name is as expressions write it.
pub(super) fn field_of(schema: Schema<'_>, object: &Kind, name: &str) -> Option<Kind> {
    let Kind::Object(id, root) = object else { return None };
    let schema = schema.at(*id);
    if *root {
        match name {
            "apiVersion" | "kind" => return Some(Kind::Text),
            "metadata" => return Some(Kind::Named(METADATA)),
            _ => {}
        }
    }
    let mut properties = schema.node().properties.iter();
    let (_, property) =
        properties.find(|(it, _)| escape(it).as_deref() == Some(name) || is_reserved(name) && &***it == name)?;
    let property = schema.at(*property);
    kind_of(property, property.embedded_resource)
}

/// The metadata of a resource, of which rules see `name` and `generateName`.
pub(super) const METADATA: &str = "metadata";
