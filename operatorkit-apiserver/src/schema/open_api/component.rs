//! A schema: named ones refer to each other, those of CRDs are written out.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::{Resource, custom, keywords, reference, rules};
use crate::schema::{GroupVersionKind, NodeId, Schema, Types};

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The schemas of a document.
pub(super) struct Components<'a> {
    built_in: &'a Types,
    kinds: HashMap<NodeId, Vec<&'a GroupVersionKind>>,
    /// The groups and versions that the document is about.
    about: BTreeSet<(Box<str>, Box<str>)>,
    /// Referred to, and not yet written.
    wanted: Vec<NodeId>,
    written: Map<String, Value>,
}

/// The names of the schemas of a resource.
pub(super) struct Names {
    /// Of its objects.
    pub(super) object: String,
    /// Of a list of them.
    pub(super) list: String,
}

impl<'a> Components<'a> {
    pub(super) fn new<'k>(built_in: &'a Types, resources: impl Iterator<Item = &'k GroupVersionKind>) -> Self {
        let mut kinds: HashMap<_, Vec<_>> = HashMap::new();
        for (kind, id) in built_in.all_kinds() {
            kinds.entry(id).or_default().push(kind);
        }
        Self {
            built_in,
            kinds,
            about: resources
                .map(|kind| (kind.group.clone(), kind.version.clone()))
                .collect(),
            wanted: Vec::new(),
            written: Map::new(),
        }
    }

    /// The schemas of a resource.
    pub(super) fn resource(&mut self, resource: &Resource<'_>) -> Names {
        let kind = &resource.kind;
        if resource.custom {
            let object = custom::name(kind);
            let schema = self.inline(resource.schema, true);
            let metadata = self.meta("ObjectMeta");
            let schema = custom::object(schema, kind, &metadata);
            self.written.insert(object.clone(), schema);
            let list = custom::name(&GroupVersionKind::new(&kind.group, &kind.version, resource.list_kind));
            let list_meta = self.meta("ListMeta");
            self.written
                .insert(list.clone(), custom::list(resource, &object, &list_meta));
            return Names { object, list };
        }
        let object = self.of_kind(kind).unwrap_or_default();
        let list_kind = GroupVersionKind::new(&kind.group, &kind.version, resource.list_kind);
        let list = self.of_kind(&list_kind).unwrap_or_else(|| object.clone());
        Names { object, list }
    }

    /// The name of the schema of a built-in kind, which is then in the document.
    pub(super) fn of_kind(&mut self, kind: &GroupVersionKind) -> Option<String> {
        let id = self.built_in.all_kinds().find(|(other, _)| *other == kind)?.1;
        self.name(id)
    }

    /// A reference to a type of `meta/v1`.
    pub(super) fn meta(&mut self, name: &str) -> Value {
        let name = format!("{META}.{name}");
        if let Some(id) = self.built_in.id(&name) {
            self.name(id);
        }
        reference(&name)
    }

    fn name(&mut self, id: NodeId) -> Option<String> {
        let name = self.built_in.schema(id).node().name.as_deref()?.to_owned();
        if !self.written.contains_key(&name) {
            self.wanted.push(id);
        }
        Some(name)
    }

    /// All schemas.
    pub(super) fn finish(mut self) -> Value {
        while let Some(id) = self.wanted.pop() {
            let schema = self.built_in.schema(id);
            let name = schema.name.as_deref().unwrap_or_default().to_owned();
            if self.written.contains_key(&name) {
                continue;
            }
            let mut out = self.inline(schema, false);
            let kinds = self.kinds_of(id);
            if !kinds.is_empty() {
                out.insert("x-kubernetes-group-version-kind".into(), json!(kinds));
            }
            self.written.insert(name, out.into());
        }
        Value::Object(self.written)
    }

    /// What a type is known as. `DeleteOptions` is known in each group; the document names its own and the first.
    fn kinds_of(&self, id: NodeId) -> Vec<&'a GroupVersionKind> {
        let kinds = self.kinds.get(&id).map_or(&[][..], Vec::as_slice);
        let named = |kind: &&&GroupVersionKind| {
            let first = kind.group.is_empty() && *kind.version == *"v1";
            first || self.about.contains(&(kind.group.clone(), kind.version.clone()))
        };
        if kinds.len() < 2 {
            return kinds.to_vec();
        }
        kinds.iter().filter(named).copied().collect()
    }

    /// A schema in another one: a reference, if it has a name. `custom` for those of CRDs.
    fn nested(&mut self, schema: Schema<'_>, custom: bool) -> Value {
        let target = schema
            .name
            .as_deref()
            .filter(|_| !custom)
            .and_then(|name| self.built_in.id(name));
        let Some((id, name)) = target.and_then(|id| Some((id, self.name(id)?))) else {
            return self.inline(schema, custom).into();
        };
        let target = self.built_in.schema(id);
        let mut own = Map::new();
        if schema.default != target.default {
            own.insert("default".into(), schema.default.clone().unwrap_or_default());
        }
        if schema.patch != target.patch {
            keywords::patch(&schema.patch, &mut own);
        }
        if schema.map != target.map {
            own.insert("x-kubernetes-map-type".into(), "atomic".into());
        }
        if own.is_empty() {
            return reference(&name);
        }
        own.insert("allOf".into(), json!([reference(&name)]));
        own.into()
    }

    /// A schema with all that it has.
    pub(super) fn inline(&mut self, schema: Schema<'_>, custom: bool) -> Map<String, Value> {
        let mut out = Map::new();
        keywords::type_of(schema, custom, &mut out);
        let properties = schema
            .properties
            .iter()
            .map(|(name, id)| (name.to_string(), self.nested(schema.at(*id), custom)));
        let properties: Map<_, _> = properties.collect();
        if !properties.is_empty() {
            out.insert("properties".into(), properties.into());
        }
        if let Some(items) = schema.items() {
            out.insert("items".into(), self.nested(items, custom));
        }
        if let Some(values) = schema.additional() {
            let values = match &schema.rules {
                Some(rules) if rules.no_additional => false.into(),
                _ => self.nested(values, custom),
            };
            out.insert("additionalProperties".into(), values);
        }
        keywords::details(schema, &mut out);
        keywords::extensions(schema, custom, &mut out);
        if let Some(found) = &schema.rules {
            rules::add(found, &mut out, |id| self.nested(schema.at(id), custom));
        }
        if schema.embedded_resource {
            custom::embed(&mut out, &self.meta("ObjectMeta"));
        }
        out
    }
}
