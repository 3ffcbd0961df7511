//! A place as a structural schema, once it is one.

use serde_json::{Map, Value, json};

use super::{Node, Wrong, kinds::Kinds};

/// The schema of a place and all below it.
pub(super) fn print(node: Node) -> Result<Value, Wrong> {
    let kinds = node.kinds - Kinds::NULL;
    if kinds.is_empty() {
        return Err(Wrong::new(if node.kinds.is_empty() {
            "is of a type that has no value: what is said of it contradicts itself"
        } else {
            "can be nothing but `null`, which says nothing in a CRD: leave the field out, or use a `bool`"
        }));
    }
    if node.values.is_some() && (!node.fields.is_empty() || node.open) {
        return Err(Wrong::new(
            "has fields beside a map of typed values, which a CRD cannot say: flatten a `BTreeMap<String, serde_json::Value>`, or give the map a name",
        ));
    }
    let keeps = node.keeps();
    let mut schema = node.notes;
    let mut checks = node.checks;
    match kinds.name() {
        Some(name) => {
            schema.insert("type".to_owned(), name.into());
        }
        None if kinds == Kinds::INT_OR_STRING => {
            schema.insert("x-kubernetes-int-or-string".to_owned(), true.into());
        }
        None => refuse_others(&mut checks, kinds),
    }
    if keeps {
        schema.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
    }
    if node.kinds.contains(Kinds::NULL) {
        schema.insert("nullable".to_owned(), true.into());
    }
    schema.extend(inside(node.fields, node.items, node.values)?);
    schema.extend(checks);
    Ok(schema.into())
}

/// A place of several types says which it does not take.
fn refuse_others(checks: &mut Map<String, Value>, kinds: Kinds) {
    let words = checks.contains_key("enum");
    let refused = (Kinds::ALL - kinds - Kinds::NULL).refused();
    if words || refused.is_empty() {
        return;
    }
    let all = checks.entry("allOf").or_insert_with(|| json!([]));
    all.as_array_mut()
        .into_iter()
        .for_each(|all| all.extend(refused.clone()));
}

fn inside(
    fields: std::collections::BTreeMap<String, Node>,
    items: Option<Box<Node>>,
    values: Option<Box<Node>>,
) -> Result<Map<String, Value>, Wrong> {
    let mut inside = Map::new();
    if !fields.is_empty() {
        let fields = fields.into_iter().map(|(name, field)| {
            let field = print(field).map_err(|wrong| wrong.below(&format!(".{name}")))?;
            Ok((name, field))
        });
        let fields = fields.collect::<Result<Map<_, _>, Wrong>>()?;
        inside.insert("properties".to_owned(), fields.into());
    }
    if let Some(items) = items {
        let items = print(*items).map_err(|wrong| wrong.below("[]"))?;
        inside.insert("items".to_owned(), items);
    }
    if let Some(values) = values {
        let values = print(*values).map_err(|wrong| wrong.below("{}"))?;
        inside.insert("additionalProperties".to_owned(), values);
    }
    Ok(inside)
}
