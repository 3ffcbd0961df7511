//! Random values of a schema.

use fastrand::Rng;
use operatorkit_apiserver::schema::{Schema, Type};
use serde_json::{Map, Value, json};

use super::reach::Step;

const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const MICRO_TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// Below this, only what a value must have: types may contain themselves.
const DEPTH: u32 = 14;

/// A random value; where a default may depend on a value, both sides come. What `path` leads to is there; around it is little.
pub(super) fn sample(random: &mut Rng, schema: Schema<'_>, path: &[Step]) -> Value {
    let depth = 0;
    Place {
        schema,
        path,
        field: "",
        depth,
    }
    .value(random)
}

/// Where a value is made.
#[derive(Clone, Copy)]
struct Place<'p> {
    schema: Schema<'p>,
    /// What is left of the path.
    path: &'p [Step],
    /// The name of the field, of a list's items that of the list.
    field: &'p str,
    depth: u32,
}

impl<'p> Place<'p> {
    /// A place in this one.
    fn inner(self, schema: Schema<'p>, step: &Step) -> Self {
        let path = match self.path.split_first() {
            Some((first, rest)) if first == step => rest,
            _ => &[],
        };
        Self {
            schema,
            path,
            depth: self.depth + 1,
            ..self
        }
    }

    fn value(self, random: &mut Rng) -> Value {
        let schema = self.schema;
        match schema.type_ {
            Type::Object if schema.name.as_deref() == Some(META) => json!({ "labels": { "a": "b" } }),
            Type::Object => self.object(random),
            Type::Array => self.array(random),
            Type::String => self.string(random),
            Type::Integer | Type::Number => one(random, &[0, 1, 5]).into(),
            Type::Boolean => random.bool().into(),
            Type::IntOrString => one(random, &[json!(0), json!(1), json!("x")]),
            Type::Any if schema.name.as_deref() == Some(QUANTITY) => one(random, &["0", "1"]).into(),
            Type::Any => json!({ "apiVersion": "v1", "kind": "Any" }),
        }
    }

    fn object(self, random: &mut Rng) -> Value {
        let mut map = Map::new();
        if let Some(values) = self.schema.additional() {
            if !self.path.is_empty() || random.u8(..3) > 0 {
                map.insert("key".into(), self.inner(values, &Step::Inside).value(random));
            }
            return map.into();
        }
        let density = self.density(random);
        for name in self.schema.node().properties.keys() {
            let required = self.schema.required.contains(name) && random.u8(..10) > 2;
            let step = Step::Field(name.clone());
            let on_path = self.path.first() == Some(&step);
            if let Some(property) = self.schema.property(name)
                && (on_path || required || random.u8(..100) < likelihood(property, density))
            {
                let field = Self {
                    field: name,
                    ..self.inner(property, &step)
                };
                map.insert(name.to_string(), field.value(random));
            }
        }
        map.into()
    }

    /// How many of the fields come, in percent. Some objects have nearly all, others nearly none: what depends on a lonely field
    /// shows, too.
    fn density(self, random: &mut Rng) -> u8 {
        if self.path.is_empty() && self.depth < DEPTH {
            one(random, &[0, 5, 20, 50, 90, 100])
        } else {
            0
        }
    }

    fn array(self, random: &mut Rng) -> Value {
        let count = match () {
            () if !self.path.is_empty() => 1,
            () if self.depth < DEPTH => one(random, &[0, 1, 1, 2]),
            () => 0,
        };
        let items = self.schema.items();
        (0..count)
            .filter_map(|_| items.map(|items| self.inner(items, &Step::Inside).value(random)))
            .collect()
    }

    fn string(self, random: &mut Rng) -> Value {
        match self.schema.format.as_deref() {
            Some("byte") => return one(random, &["", "eA=="]).into(),
            // Go reads this one in exactly one form.
            Some("date-time") if self.schema.name.as_deref() == Some(MICRO_TIME) => {
                return "2020-01-01T00:00:00.000000Z".into();
            }
            Some("date-time") => return one(random, &[json!("2020-01-01T00:00:00Z"), json!(null)]),
            _ => {}
        }
        if random.u8(..5) == 0 {
            return "".into();
        }
        let known: Vec<&Value> = self.schema.rules.iter().flat_map(|rules| &rules.enumeration).collect();
        if !known.is_empty() {
            return one(random, &known).clone();
        }
        // Values that the server acts on, though its OpenAPI does not name them.
        match self.field {
            "image" | "reference" => one(random, &["a", "a:latest", "a:1", "a@sha256:0", "r:5000/a"]).into(),
            "kind" => one(
                random,
                &["x", "User", "Group", "ServiceAccount", "PersistentVolumeClaim"],
            )
            .into(),
            "type" => one(random, &["x", "Container"]).into(),
            "allocationMode" => one(random, &["x", "All", "ExactCount"]).into(),
            _ => "x".into(),
        }
    }
}

/// What is one of some values is often what others depend on.
fn likelihood(field: Schema<'_>, density: u8) -> u8 {
    let decides = field.rules.as_ref().is_some_and(|rules| !rules.enumeration.is_empty());
    if decides { density.max(40) } else { density }
}

fn one<T: Clone>(random: &mut Rng, of: &[T]) -> T {
    of[random.usize(..of.len())].clone()
}
