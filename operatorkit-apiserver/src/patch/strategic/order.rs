//! The order of a merged list: items of the patch in the patch's order, items that only the server has in the server's, and
//! both interleaved as the server had them.

use std::collections::HashMap;

use serde_json::Value;

use super::{print, refusal::Refusal};

/// What tells an item apart: itself, or the value of its merge key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity<'v> {
    /// `null`, or a field that is not there.
    Null,
    /// A scalar.
    Bool(bool),
    /// A scalar.
    Int(i64),
    /// A scalar, by its bits.
    Float(u64),
    /// A scalar.
    Text(&'v str),
    /// An object or a list: equal to nothing, so each has its own number.
    Composite(*const Value),
}

impl<'v> Identity<'v> {
    pub(super) fn of(value: &'v Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match number.as_i64() {
                Some(value) => Self::Int(value),
                None => Self::Float(number.as_f64().unwrap_or_default().to_bits()),
            },
            Value::String(text) => Self::Text(text),
            Value::Array(_) | Value::Object(_) => Self::Composite(value),
        }
    }

    /// By the merge key, where there is one.
    pub(super) fn by(value: &'v Value, merge_key: &str) -> Self {
        if merge_key.is_empty() {
            return Self::of(value);
        }
        value.get(merge_key).map_or(Self::Null, Self::of)
    }
}

/// Where the items of a list are.
pub(super) fn positions<'v>(list: &'v [Value], merge_key: &str) -> HashMap<Identity<'v>, usize> {
    let mut positions = HashMap::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        positions.entry(Identity::by(item, merge_key)).or_insert(index);
    }
    positions
}

/// Refuses a list of objects where one has no merge key.
pub(super) fn check_merge_keys(list: &[Value], merge_key: &str) -> Result<(), Refusal> {
    for item in list {
        let fields = item.as_object().ok_or_else(|| Refusal::type_(print::MAP, item))?;
        if !fields.contains_key(merge_key) {
            return Err(Refusal::no_merge_key(item, merge_key));
        }
    }
    Ok(())
}

/// The merged items in their order. `patch` is the order that the patch wants, `server` the one that was.
pub(super) fn normalize(
    merged: Vec<Value>,
    patch: &[Value],
    server: &[Value],
    merge_key: &str,
) -> Result<Vec<Value>, Refusal> {
    if !merge_key.is_empty() {
        check_merge_keys(&merged, merge_key)?;
        if let Some(index) = patch.iter().position(|item| !item.is_object()) {
            return Err(Refusal::other(format!("value for key {index} is not a map")));
        }
        check_merge_keys(patch, merge_key)?;
        check_merge_keys(server, merge_key)?;
    }
    let patch_positions = positions(patch, merge_key);
    let server_positions = positions(server, merge_key);
    let mut of_patch = Vec::new();
    let mut of_server = Vec::new();
    for item in merged {
        let identity = Identity::by(&item, merge_key);
        let before = server_positions.get(&identity).copied();
        match patch_positions.get(&identity) {
            Some(position) => of_patch.push((Some(*position), before, item)),
            None => of_server.push((before, before, item)),
        }
    }
    sort(&mut of_patch);
    sort(&mut of_server);
    Ok(interleave(of_server, of_patch))
}

/// An item, its place in the order that counts for it, and its place in the server's.
type Placed = (Option<usize>, Option<usize>, Value);

/// Sorts as Go's insertion sort does with the comparison of `normalizeSliceOrder`, where an item without a place is less than
/// all others and all others are less than it.
fn sort(items: &mut Vec<Placed>) {
    if items.iter().all(|item| item.0.is_some()) {
        items.sort_by_key(|item| item.0);
        return;
    }
    let mut sorted: Vec<Placed> = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        let at = match item.0 {
            None => 0,
            Some(place) => sorted
                .iter()
                .rposition(|other| other.0.is_some_and(|other| other <= place))
                .map_or(0, |at| at + 1),
        };
        sorted.insert(at, item);
    }
    *items = sorted;
}

/// Inserts the server's items before the first item of the patch that stood behind them.
fn interleave(of_server: Vec<Placed>, of_patch: Vec<Placed>) -> Vec<Value> {
    let mut all = Vec::with_capacity(of_server.len() + of_patch.len());
    let mut of_server = of_server.into_iter().peekable();
    for (_, place, item) in of_patch {
        while let Some((_, _, before)) =
            of_server.next_if(|(_, other, _)| matches!((other, place), (Some(other), Some(place)) if *other < place))
        {
            all.push(before);
        }
        all.push(item);
    }
    all.extend(of_server.map(|(_, _, item)| item));
    all
}
