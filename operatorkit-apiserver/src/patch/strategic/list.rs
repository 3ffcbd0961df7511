//! How two lists merge: scalars as a set, objects by their merge key.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    directive::PATCH,
    map,
    order::{Identity, normalize, positions},
    print,
    refusal::Refusal,
};
use crate::schema::Schema;

/// Merges a list of the patch into the list that is there. `items` is the schema of the items.
pub(super) fn merge(
    original: Vec<Value>,
    patch: &mut [Value],
    items: Option<Schema<'_>>,
    merge_key: &str,
    delete: bool,
) -> Result<Vec<Value>, Refusal> {
    if original.is_empty() && patch.is_empty() {
        return Ok(original);
    }
    if !has_objects(&original, patch)? {
        return merge_scalars(original, patch, merge_key, delete);
    }
    if merge_key.is_empty() {
        return Err(Refusal::other("cannot merge lists without merge key for struct"));
    }
    let (original, plain) = apply_special(original, patch, merge_key)?;
    let order: Vec<Value> = plain.iter().map(|at| patch[*at].clone()).collect();
    let merged = merge_objects(original.clone(), patch, &plain, items, merge_key)?;
    normalize(merged, &order, &original, merge_key)
}

/// Whether the items are objects. All items of both lists have one type, and it is not a list.
pub(super) fn has_objects(original: &[Value], patch: &[Value]) -> Result<bool, Refusal> {
    let mut items = original.iter().chain(patch);
    let first = items
        .next()
        .ok_or_else(|| Refusal::other("no elements in any of the given slices"))?;
    if first.is_array() {
        return Err(Refusal::ListOfLists);
    }
    if first.is_null() || items.any(|item| print::type_(item) != print::type_(first)) {
        let lists = Value::from(vec![Value::from(original), Value::from(patch)]);
        let lists = print::value(&lists);
        return Err(Refusal::other(format!("list element types are not identical: {lists}")));
    }
    Ok(first.is_object())
}

fn merge_scalars(
    mut original: Vec<Value>,
    patch: &[Value],
    merge_key: &str,
    delete: bool,
) -> Result<Vec<Value>, Refusal> {
    if delete {
        let deleted: HashSet<_> = patch.iter().map(Identity::of).collect();
        original.retain(|item| !deleted.contains(&Identity::of(item)));
        return Ok(original);
    }
    let mut seen = HashSet::new();
    let merged: Vec<Value> = original
        .iter()
        .chain(patch)
        .filter(|item| seen.insert(Identity::of(item)))
        .cloned()
        .collect();
    normalize(merged, patch, &original, merge_key)
}

/// Does what the items with `$patch` say. Answers the list that is left, and which items of the patch are to be merged.
fn apply_special(
    mut original: Vec<Value>,
    patch: &[Value],
    merge_key: &str,
) -> Result<(Vec<Value>, Vec<usize>), Refusal> {
    let mut plain = Vec::new();
    let mut replace = false;
    let mut deleted = HashSet::new();
    for (index, item) in patch.iter().enumerate() {
        let Some(directive) = item.get(PATCH) else {
            plain.push(index);
            continue;
        };
        match directive.as_str() {
            Some("delete") => {
                let identity = item.get(merge_key).map(Identity::of);
                deleted.insert(identity.ok_or_else(|| Refusal::no_merge_key(item, merge_key))?);
            }
            Some("replace") => replace = true,
            Some("merge") => {
                return Err(Refusal::other("merging lists cannot yet be specified in the patch"));
            }
            _ => return Err(Refusal::patch_type(directive, item)),
        }
    }
    if replace {
        return Ok((plain.into_iter().map(|at| patch[at].clone()).collect(), Vec::new()));
    }
    original.retain(|item| {
        item.get(merge_key)
            .is_none_or(|value| !deleted.contains(&Identity::of(value)))
    });
    Ok((original, plain))
}

fn merge_objects(
    mut original: Vec<Value>,
    patch: &mut [Value],
    plain: &[usize],
    items: Option<Schema<'_>>,
    merge_key: &str,
) -> Result<Vec<Value>, Refusal> {
    let targets = targets(&original, patch, plain, merge_key)?;
    for (at, target) in plain.iter().zip(targets) {
        let Some(Value::Object(there)) = original.get_mut(target) else {
            original.push(patch[*at].clone());
            continue;
        };
        let Value::Object(fields) = &mut patch[*at] else {
            continue;
        };
        *there = map::merge(std::mem::take(there), fields, items)?;
    }
    Ok(original)
}

/// Where each item of the patch belongs: in the place of an item with its key, or behind all.
fn targets(original: &[Value], patch: &[Value], plain: &[usize], merge_key: &str) -> Result<Vec<usize>, Refusal> {
    let mut places = positions(original, merge_key);
    let mut end = original.len();
    let mut targets = Vec::with_capacity(plain.len());
    for at in plain {
        let key = patch[*at].get(merge_key);
        let key = key.ok_or_else(|| Refusal::no_merge_key(&patch[*at], merge_key))?;
        let target = *places.entry(Identity::of(key)).or_insert(end);
        end += usize::from(target == end);
        targets.push(target);
    }
    Ok(targets)
}

/// The order that counts as the server's when the patch gives one, too. The real server deletes and appends in the place of the
/// list that was, so its order knows new items as far as there is room for them.
pub(super) fn order_in_place(original: &[Value], patch: &[Value], merge_key: &str) -> Vec<Value> {
    let has = |item: &Value, directive: &str| item.get(PATCH).and_then(Value::as_str) == Some(directive);
    if merge_key.is_empty() || patch.iter().any(|item| has(item, "replace")) {
        return original.to_vec();
    }
    let deleted = patch.iter().filter(|item| has(item, "delete"));
    let deleted: HashSet<_> = deleted.map(|item| Identity::by(item, merge_key)).collect();
    let plain = patch.iter().filter(|item| item.get(PATCH).is_none());
    let kept = original
        .iter()
        .filter(|item| !deleted.contains(&Identity::by(item, merge_key)));
    let mut seen = HashSet::new();
    kept.chain(plain)
        .filter(|item| seen.insert(Identity::by(item, merge_key)))
        .take(original.len())
        .cloned()
        .collect()
}
