//! Where Go's reader is, and the names of Go types, for its error messages.

use std::fmt;

use crate::schema::{Schema, Type};

/// An error at which the reader stops.
pub(super) struct Fatal(pub(super) String);

/// Where the reader is: the struct it is in, and the fields that lead there. Keys of maps and indices do not count.
#[derive(Clone, Copy, Default)]
pub(super) struct Where<'w> {
    structure: &'w str,
    last: Option<Step<'w>>,
}

#[derive(Clone, Copy)]
struct Step<'w> {
    parent: Option<&'w Step<'w>>,
    name: &'w str,
}

impl Where<'_> {
    /// A field of a struct with this OpenAPI name.
    pub(super) fn field<'s>(&'s self, structure: &'s str, name: &'s str) -> Where<'s> {
        Where {
            structure: short(structure),
            last: Some(Step {
                parent: self.last.as_ref(),
                name,
            }),
        }
    }

    /// In embedded structs.
    pub(super) fn embedded<'s>(&'s self, name: &'s str) -> Where<'s> {
        self.field(self.structure, name)
    }

    /// `json: cannot unmarshal <what> into Go struct field <struct>.<fields> of type <type>`.
    pub(super) fn mismatch(&self, what: &str, type_: &str) -> String {
        match &self.last {
            None => format!("json: cannot unmarshal {what} into Go value of type {type_}"),
            Some(step) => format!(
                "json: cannot unmarshal {what} into Go struct field {}.{step} of type {type_}",
                self.structure
            ),
        }
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            write!(f, "{parent}.")?;
        }
        f.write_str(self.name)
    }
}

/// The Go type of a value.
#[derive(Clone, Copy)]
pub(super) enum GoType<'t> {
    /// What the schema says.
    Schema(Schema<'t>),
    /// A name; for a named map or list followed by `=` and what it is.
    Named(&'t str),
}

impl<'t> GoType<'t> {
    pub(super) fn of(schema: Schema<'t>) -> Self {
        Self::Schema(schema)
    }

    /// The type of a list's items, or of a map's values.
    pub(super) fn item(self, schema: Schema<'t>) -> Self {
        let Self::Named(name) = self else {
            return Self::Schema(schema);
        };
        let composite = name.split_once('=').map_or(name, |(_, composite)| composite);
        let item = composite.strip_prefix("[]").or_else(|| {
            composite
                .strip_prefix("map[")
                .and_then(|map| map.split_once(']'))
                .map(|(_, item)| item)
        });
        item.map_or(Self::Schema(schema), |item| Self::Named(item.trim_start_matches('*')))
    }
}

impl fmt::Display for GoType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name.split_once('=').map_or(name, |(name, _)| name)),
            Self::Schema(schema) => write_schema(*schema, f),
        }
    }
}

fn write_schema(schema: Schema<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match schema.type_ {
        Type::String if schema.format.as_deref() == Some("byte") => f.write_str("[]uint8"),
        Type::String => f.write_str("string"),
        Type::Integer => f.write_str(schema.format.as_deref().unwrap_or("int64")),
        Type::Number => f.write_str("float64"),
        Type::Boolean => f.write_str("bool"),
        Type::IntOrString => f.write_str("intstr.IntOrString"),
        Type::Array => {
            f.write_str("[]")?;
            schema.items().map_or(Ok(()), |items| write_schema(items, f))
        }
        Type::Object | Type::Any => match (&schema.name, schema.additional()) {
            (_, Some(value)) if schema.properties.is_empty() => {
                f.write_str("map[string]")?;
                write_schema(value, f)
            }
            (Some(name), _) => {
                // The package is the version: `v1.ObjectMeta`.
                let start = name.rmatch_indices('.').nth(1).map_or(0, |(at, _)| at + 1);
                f.write_str(&name[start..])
            }
            (None, _) => f.write_str("interface {}"),
        },
    }
}

/// The last part of an OpenAPI name.
pub(super) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Types that look like objects and are anything.
pub(super) fn is_opaque(schema: Schema<'_>) -> bool {
    schema
        .name
        .as_deref()
        .is_some_and(|name| matches!(short(name), "RawExtension" | "FieldsV1"))
}

/// A quantity: without a type in OpenAPI v3, since it is a string or a number.
pub(super) fn is_quantity(schema: Schema<'_>) -> bool {
    schema.name.as_deref() == Some("io.k8s.apimachinery.pkg.api.resource.Quantity")
}
