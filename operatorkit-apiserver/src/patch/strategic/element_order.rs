//! `$setElementOrder/<field>`: the list and its order are merged together.

use serde_json::{Map, Value};

use super::{
    directive::{self, ELEMENT_ORDER, PATCH},
    list, map,
    order::{Identity, normalize},
    print,
    refusal::Refusal,
};
use crate::schema::Schema;

/// Merges all lists whose order the patch gives, and takes them out of the patch.
pub(super) fn apply(
    original: &mut Map<String, Value>,
    patch: &mut Map<String, Value>,
    schema: Option<Schema<'_>>,
) -> Result<(), Refusal> {
    let keys: Vec<String> = patch
        .keys()
        .filter(|key| key.starts_with(ELEMENT_ORDER))
        .cloned()
        .collect();
    for key in keys {
        let order = list_of(patch.remove(&key))?.unwrap_or_default();
        let field = directive::field(&key, ELEMENT_ORDER, Refusal::ELEMENT_ORDER)?;
        let there = list_of(original.get(field).cloned())?;
        let change = list_of(patch.get(field).cloned())?;
        let list = map::list_field(schema, field)?;
        let merge_key = list.patch.merge_key.as_deref().unwrap_or_default();
        check(change.as_deref().unwrap_or_default(), &order, merge_key)?;
        let merged = match (&there, &change) {
            (None, None) => continue,
            (Some(there), None) => there.clone(),
            (None, Some(change)) => without_directives(change),
            (Some(there), Some(change)) if list.patch.merge => {
                list::merge(there.clone(), &mut change.clone(), list.items(), merge_key, false)?
            }
            (Some(_), Some(change)) => change.clone(),
        };
        let (there, change) = (there.unwrap_or_default(), change.unwrap_or_default());
        list::has_objects(&there, &change)?;
        let server = list::order_in_place(&there, &change, merge_key);
        let ordered = normalize(merged, &order, &server, merge_key)?;
        original.insert(field.to_owned(), Value::Array(ordered));
        patch.remove(field);
    }
    Ok(())
}

fn list_of(value: Option<Value>) -> Result<Option<Vec<Value>>, Refusal> {
    match value {
        None => Ok(None),
        Some(Value::Array(items)) => Ok(Some(items)),
        Some(other) => Err(Refusal::type_(print::LIST, &other)),
    }
}

fn without_directives(list: &[Value]) -> Vec<Value> {
    let mut list = list.to_vec();
    list.retain_mut(directive::remove);
    list
}

/// The items of the patch must stand in the order, and in its order.
fn check(patch: &[Value], order: &[Value], merge_key: &str) -> Result<(), Refusal> {
    if order.is_empty() || patch.is_empty() {
        return Ok(());
    }
    let mut rest = order.iter();
    for item in patch {
        if !merge_key.is_empty() {
            let fields = item.as_object().ok_or_else(|| Refusal::type_(print::MAP, item))?;
            if fields.contains_key(PATCH) {
                continue;
            }
        }
        let identity = identity(item, merge_key)?;
        loop {
            let Some(ordered) = rest.next() else {
                let (patch, order) = (print::value(&patch.into()), print::value(&order.into()));
                return Err(Refusal::other(format!(
                    "The order in patch list:\n{patch}\n doesn't match {ELEMENT_ORDER} list:\n{order}\n"
                )));
            };
            if self::identity(ordered, merge_key)? == identity {
                break;
            }
        }
    }
    Ok(())
}

fn identity<'v>(item: &'v Value, merge_key: &str) -> Result<Identity<'v>, Refusal> {
    if merge_key.is_empty() {
        return Ok(Identity::of(item));
    }
    let fields = item.as_object().ok_or_else(|| Refusal::type_(print::MAP, item))?;
    let key = fields
        .get(merge_key)
        .ok_or_else(|| Refusal::no_merge_key(item, merge_key))?;
    Ok(Identity::of(key))
}
