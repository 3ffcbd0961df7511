//! `ObjectMeta`, as nodes.

use super::{
    FIELDS,
    Kind::{self, Flag, List, Raw, Text, TextMap, Texts, Time, Uid, Whole},
    OWNER,
};
use crate::schema::{ListType, MapType, Node, NodeId, Type, Types};

/// Adds the schema of `ObjectMeta`.
pub(in crate::crd) fn add(types: &mut Types) -> NodeId {
    let id = add_object(types, FIELDS);
    types.node_mut(id).name = Some("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta".into());
    id
}

fn add_object(types: &mut Types, fields: &[(&str, Kind)]) -> NodeId {
    let mut node = Node {
        type_: Type::Object,
        ..Node::default()
    };
    for (name, kind) in fields {
        let mut field = field(types, kind);
        match *name {
            "ownerReferences" => field.list = ListType::Map(vec!["uid".into()]),
            "finalizers" => field.list = ListType::Set,
            _ => {}
        }
        let id = types.add(field);
        node.properties.insert((*name).into(), id);
    }
    types.add(node)
}

fn field(types: &mut Types, kind: &Kind) -> Node {
    let mut node = Node {
        type_: match kind {
            Text | Uid | Time => Type::String,
            Whole => Type::Integer,
            Flag => Type::Boolean,
            Texts | List(..) => Type::Array,
            TextMap | Raw => Type::Object,
        },
        ..Node::default()
    };
    match kind {
        Time => node.format = Some("date-time".into()),
        Whole => node.format = Some("int64".into()),
        Texts => node.items = Some(add_text(types)),
        TextMap => node.additional = Some(add_text(types)),
        Raw => node.preserve_unknown = true,
        List(_, fields) => {
            let items = add_object(types, fields);
            types.node_mut(items).map = MapType::Atomic;
            if fields.len() == OWNER.len() {
                types.node_mut(items).required = ["apiVersion", "kind", "name", "uid"].map(Into::into).into();
            } else {
                types.node_mut(items).map = MapType::Granular;
            }
            node.items = Some(items);
        }
        Text | Uid | Flag => {}
    }
    node
}

fn add_text(types: &mut Types) -> NodeId {
    types.add(Node {
        type_: Type::String,
        ..Node::default()
    })
}
