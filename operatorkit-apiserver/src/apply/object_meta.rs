//! The fields that every object has: `apiVersion`, `kind` and `metadata`.

use std::sync::LazyLock;

use crate::schema::{ListType, MapType, Node, NodeId, Schema, Type, Types};

use super::atom::Place;

/// `ObjectMeta`, for schemas that do not spell it out: those of CRDs, and embedded resources.
static OBJECT_META: LazyLock<(Types, NodeId, NodeId)> = LazyLock::new(|| {
    let mut types = Types::new();
    let string = types.add(of(Type::String));
    let integer = types.add(of(Type::Integer));
    let time = types.add(Node {
        format: Some("date-time".into()),
        ..of(Type::String)
    });
    let strings = types.add(Node {
        additional: Some(string),
        ..of(Type::Object)
    });
    let finalizers = types.add(Node {
        items: Some(string),
        list: ListType::Set,
        ..of(Type::Array)
    });
    let boolean = types.add(of(Type::Boolean));
    let owner = types.add(object(
        &[
            ("apiVersion", string),
            ("kind", string),
            ("name", string),
            ("uid", string),
            ("controller", boolean),
            ("blockOwnerDeletion", boolean),
        ],
        MapType::Atomic,
    ));
    let owners = Node {
        items: Some(owner),
        list: ListType::Map(vec!["uid".into()]),
        ..of(Type::Array)
    };
    let owners = types.add(owners);
    let fields = types.add(of(Type::Object));
    let entry = types.add(object(
        &[
            ("apiVersion", string),
            ("fieldsType", string),
            ("fieldsV1", fields),
            ("manager", string),
            ("operation", string),
            ("subresource", string),
            ("time", time),
        ],
        MapType::Granular,
    ));
    let entries = types.add(Node {
        items: Some(entry),
        ..of(Type::Array)
    });
    let meta = object(
        &[
            ("annotations", strings),
            ("labels", strings),
            ("creationTimestamp", time),
            ("deletionTimestamp", time),
            ("deletionGracePeriodSeconds", integer),
            ("generation", integer),
            ("finalizers", finalizers),
            ("ownerReferences", owners),
            ("managedFields", entries),
            ("generateName", string),
            ("name", string),
            ("namespace", string),
            ("resourceVersion", string),
            ("selfLink", string),
            ("uid", string),
        ],
        MapType::Granular,
    );
    let meta = types.add(Node {
        name: Some("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta".into()),
        ..meta
    });
    (types, meta, string)
});

fn of(type_: Type) -> Node {
    Node {
        type_,
        ..Node::default()
    }
}

fn object(fields: &[(&str, NodeId)], map: MapType) -> Node {
    let properties = fields.iter().map(|(name, id)| ((*name).into(), *id)).collect();
    Node {
        properties,
        map,
        ..of(Type::Object)
    }
}

/// A field that every object has, unless the schema itself knows it as it is.
pub(super) fn field<'a>(schema: Schema<'a>, name: &str) -> Option<Place<'a>> {
    let (types, meta, string): &'static (Types, NodeId, NodeId) = &OBJECT_META;
    let id = match name {
        "apiVersion" | "kind" => *string,
        // A CRD may restrict the name and nothing else there.
        "metadata"
            if schema
                .property(name)
                .is_none_or(|it| it.property("managedFields").is_none()) =>
        {
            *meta
        }
        _ => return None,
    };
    Some(Place::Node {
        schema: types.schema(id),
        preserve: false,
        resource: false,
    })
}
