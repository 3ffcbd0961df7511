//! What a node of a schema says of its values (`kube-openapi`, `schemaconv`).

use crate::schema::{ListType, MapType, Schema, Type};

use super::atom::{Atom, Fields, List, Map, Place, Scalar};

/// What a value may be at a node.
pub(super) fn atom(schema: Schema<'_>, preserve: bool, resource: bool) -> Atom<'_> {
    let name = schema.node().name.as_deref().unwrap_or_default();
    if name.ends_with(".api.resource.Quantity") {
        return scalar(Scalar::Untyped);
    }
    if name.ends_with(".pkg.runtime.RawExtension") {
        return Place::Untyped.atom();
    }
    let preserve = preserve || schema.preserve_unknown;
    let kind = if resource { Type::Object } else { schema.type_ };
    match kind {
        Type::Any | Type::IntOrString => Atom {
            scalar: Some(Scalar::Untyped),
            list: Some(list(schema, preserve)),
            map: Some(map(schema, preserve, resource)),
        },
        Type::Object => Atom {
            map: Some(map(schema, preserve, resource)),
            ..Atom::default()
        },
        Type::Array => Atom {
            list: Some(list(schema, preserve)),
            ..Atom::default()
        },
        Type::Integer | Type::Number => scalar(Scalar::Numeric),
        Type::Boolean => scalar(Scalar::Boolean),
        Type::String => scalar(match schema.format.as_deref() {
            None | Some("" | "byte") => Scalar::String,
            Some(_) => Scalar::Untyped,
        }),
    }
}

fn scalar<'a>(scalar: Scalar) -> Atom<'a> {
    Atom {
        scalar: Some(scalar),
        ..Atom::default()
    }
}

fn list(schema: Schema<'_>, preserve: bool) -> List<'_> {
    let (associative, keys): (_, &[_]) = match &schema.node().list {
        ListType::Atomic => (false, &[]),
        ListType::Set => (true, &[]),
        ListType::Map(keys) => (true, keys),
    };
    let items = schema.items().map_or(Place::Untyped, |it| Place::node(it, preserve));
    List {
        associative,
        keys,
        items,
    }
}

fn map(schema: Schema<'_>, preserve: bool, resource: bool) -> Map<'_> {
    let element = match schema.additional() {
        Some(it) => Place::node(it, preserve),
        None if preserve || (schema.properties.is_empty() && !resource) => Place::Deduced,
        None => Place::Nothing,
    };
    Map {
        fields: Some(Fields {
            schema,
            preserve,
            resource,
        }),
        element,
        atomic: schema.map == MapType::Atomic,
    }
}
