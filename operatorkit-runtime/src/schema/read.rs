//! From what schemars makes of a type to places.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Node, Wrong, check,
    keywords::{checks, list, notes},
    kinds::Kinds,
    merge,
};

/// What no structural schema can say, and why a type may want to say it.
const UNSAYABLE: [(&str, &str); 9] = [
    (
        "$ref",
        "is of a type that contains itself, and a CRD must be finite: cut it with `#[schemars(with = \"operatorkit::serde_json::Value\")]` on the \
         field",
    ),
    (
        "$dynamicRef",
        "refers to another schema, which a CRD cannot: write it out",
    ),
    (
        "patternProperties",
        "is a map whose keys follow a pattern, such as numbers, which a CRD cannot say: use a map of strings, `BTreeMap<String, _>`",
    ),
    (
        "propertyNames",
        "is a map with conditions on its keys, which a CRD cannot say: put them into a `validation(..)`",
    ),
    (
        "prefixItems",
        "is a tuple, and a CRD has one type for all items of an array: use a struct",
    ),
    (
        "contains",
        "has a condition on some items of an array, which a CRD cannot say: put it into a `validation(..)`",
    ),
    (
        "if",
        "depends on another condition, which a CRD cannot say: put it into a `validation(..)`",
    ),
    (
        "dependentRequired",
        "depends on another field, which a CRD cannot say: put it into a `validation(..)`",
    ),
    (
        "dependentSchemas",
        "depends on another field, which a CRD cannot say: put it into a `validation(..)`",
    ),
];

/// A schema as a place.
pub(super) fn read(schema: &Value) -> Result<Node, Wrong> {
    within(schema, false)
}

/// The same; `closed` where it is a part of one that says which fields there are.
fn within(schema: &Value, closed: bool) -> Result<Node, Wrong> {
    let map = match schema {
        Value::Object(map) => map,
        Value::Bool(false) => {
            return Ok(Node {
                kinds: Kinds::NONE,
                ..Node::any()
            });
        }
        _ => return Ok(Node::any()),
    };
    if let Some((_, why)) = UNSAYABLE.iter().find(|(key, _)| map.get(*key).is_some_and(is_said)) {
        return Err(Wrong::new(*why));
    }
    let mut node = plain(map)?;
    let closed = closed || !node.open;
    for part in list(map, "allOf") {
        node = node.and(within(part, closed)?)?;
    }
    for key in ["anyOf", "oneOf"].into_iter().filter(|key| map.contains_key(*key)) {
        // An enum that is flattened and optional: its fields are there, or not, or do not fit, and then serde takes it for none.
        let is_nothing = |form: &&Value| closed && form.as_object().is_some_and(Map::is_empty);
        let optional = list(map, key).iter().any(|form| is_nothing(&form));
        let forms = list(map, key).iter().filter(|form| !is_nothing(form)).map(read);
        let mut form = merge::forms(key, forms.collect::<Result<_, _>>()?)?;
        if optional {
            form.checks.clear();
        }
        node = node.and(form)?;
    }
    if let Some(not) = map.get("not") {
        let not = check::beyond(&read(not)?, &Node::any())?;
        node.require("not", not.into());
    }
    Ok(node)
}

/// Whether a key says anything: an empty list or object does not.
fn is_said(value: &Value) -> bool {
    match value {
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Null => false,
        _ => true,
    }
}

/// What a schema says apart from its `allOf` and the like.
fn plain(map: &Map<String, Value>) -> Result<Node, Wrong> {
    let kinds = kinds(map)?;
    let typed = map.contains_key("type") || map.contains_key("properties");
    let (values, open) = unnamed(map)?;
    let is_array = kinds.contains(Kinds::ARRAY) && kinds != Kinds::ALL;
    let items = match map.get("items") {
        Some(Value::Array(_)) => {
            return Err(Wrong::new(
                "is a tuple, and a CRD has one type for all items of an array: use a struct",
            ));
        }
        Some(items) => Some(Box::new(read(items).map_err(|wrong| wrong.below("[]"))?)),
        None => is_array.then(|| Box::new(Node::any())),
    };
    Ok(Node {
        kinds,
        fields: fields(map)?,
        items,
        values,
        open: open || !typed,
        closed: map.get("additionalProperties") == Some(&Value::Bool(false)),
        checks: checks(map),
        notes: notes(map),
    })
}

fn kinds(map: &Map<String, Value>) -> Result<Kinds, Wrong> {
    let mut kinds = match map.get("type") {
        _ if map.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) => Kinds::INT_OR_STRING,
        Some(Value::String(name)) => Kinds::named(name)?,
        Some(Value::Array(names)) => {
            let mut kinds = Kinds::NONE;
            for name in names.iter().filter_map(Value::as_str) {
                kinds |= Kinds::named(name)?;
            }
            kinds
        }
        _ => {
            let values = list(map, "enum").iter().chain(map.get("const"));
            let of_values = values.fold(Kinds::NONE, |kinds, value| kinds | Kinds::of(value));
            if of_values.is_empty() { Kinds::ALL } else { of_values }
        }
    };
    if map.get("nullable") == Some(&Value::Bool(true)) {
        kinds |= Kinds::NULL;
    }
    Ok(kinds)
}

fn fields(map: &Map<String, Value>) -> Result<BTreeMap<String, Node>, Wrong> {
    let fields = map.get("properties").and_then(Value::as_object).into_iter().flatten();
    fields
        .map(|(name, field)| {
            let mut node = read(field).map_err(|wrong| wrong.below(&format!(".{name}")))?;
            // Of a type like `Quantity` schemars does not say that it is optional: where there is no type, `null` is one.
            let said =
                list(map, "required").iter().any(|required| required == name) || node.notes.contains_key("default");
            if !said && node.kinds == Kinds::INT_OR_STRING {
                node.kinds |= Kinds::NULL;
            }
            Ok((name.clone(), node))
        })
        .collect()
}

/// What fields may be that are not named: of a type, or kept as they are.
fn unnamed(map: &Map<String, Value>) -> Result<(Option<Box<Node>>, bool), Wrong> {
    if map.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true)) {
        return Ok((None, true));
    }
    let said = |key| map.get(key).filter(|said| **said != Value::Bool(false));
    let Some(unnamed) = said("additionalProperties").or_else(|| said("unevaluatedProperties")) else {
        return Ok((None, false));
    };
    let values = read(unnamed).map_err(|wrong| wrong.below("{}"))?;
    Ok(if values.is_any() {
        (None, true)
    } else {
        (Some(Box::new(values)), false)
    })
}
