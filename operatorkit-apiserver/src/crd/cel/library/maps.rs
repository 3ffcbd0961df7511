//! What macros with two variables are made of: the keys of a map, and maps of their pairs.

use std::collections::HashMap;

use cel::{
    DeclarationError, Env, ExecutionError,
    common::{
        types::{CelInt, CelList, CelMap, CelMapKey, CelString, DYN_TYPE, LIST_TYPE},
        value::{CowVal, Val},
    },
};

use super::super::budget;

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    env.add_overload("@indices", "@indices", vec![DYN_TYPE], indices)?;
    env.add_overload("@entries", "@entries", vec![LIST_TYPE], entries)?;
    env.add_overload("@merge", "@merge", vec![LIST_TYPE], merge)
}

/// The indices of a list, or the keys of a map.
fn indices<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let range = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let mut found: Vec<Box<dyn Val + 'v>> = Vec::new();
    if let Some(list) = range.downcast_ref::<CelList<'_>>() {
        let count = i64::try_from(list.inner().len()).unwrap_or(i64::MAX);
        budget::spend(list.inner().len() as u64)?;
        found.extend((0..count).map(|it| Box::new(CelInt::from(it)) as Box<dyn Val + 'v>));
    } else if let Some(keys) = range.as_iterable() {
        let mut keys = keys.iter();
        while let Some(key) = keys.next() {
            found.push(key.clone_as_boxed());
        }
    }
    Ok(CowVal::owned(CelList::from(found)))
}

/// The map with these pairs of keys and values.
fn entries<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let list = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let mut map: HashMap<CelMapKey<'v>, Box<dyn Val + 'v>> = HashMap::new();
    for pair in list.downcast_ref::<CelList<'v>>().map_or(&[][..], |it| it.inner()) {
        if let Some([key, value]) = pair.downcast_ref::<CelList<'v>>().map(CelList::inner) {
            map.insert(CelMapKey::try_from(key.clone())?, value.clone());
        }
    }
    Ok(CowVal::owned(CelMap::from(map)))
}

/// One map of several. A key may be in one of them only.
fn merge<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let list = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let mut merged: HashMap<CelMapKey<'v>, Box<dyn Val + 'v>> = HashMap::new();
    for map in list.downcast_ref::<CelList<'v>>().map_or(&[][..], |it| it.inner()) {
        let Some(map) = map.downcast_ref::<CelMap<'v>>() else {
            continue;
        };
        for (key, value) in map.inner() {
            let name = key
                .inner()
                .downcast_ref::<CelString<'_>>()
                .map_or("", |it| it.inner())
                .to_owned();
            let key = CelMapKey::try_from(key.inner().clone_as_boxed())?;
            if merged.insert(key, value.clone()).is_some() {
                let why = format!("insert failed: key {name} already exists");
                return Err(super::wrong("transformMapEntry", why));
            }
        }
    }
    Ok(CowVal::owned(CelMap::from(merged)))
}
