//! How an object of the patch merges into the object that is there.

use serde_json::{Map, Value};

use super::{
    directive::{self, DELETE_FROM_LIST},
    element_order, list, print,
    refusal::Refusal,
};
use crate::schema::{Schema, Type};

/// Merges a patch into an object.
pub(super) fn merge(
    mut original: Map<String, Value>,
    patch: &mut Map<String, Value>,
    schema: Option<Schema<'_>>,
) -> Result<Map<String, Value>, Refusal> {
    if let Some(whole) = directive::whole(patch)? {
        return Ok(whole);
    }
    directive::retain_keys(&mut original, patch)?;
    element_order::apply(&mut original, patch, schema)?;
    for (key, change) in patch.iter_mut() {
        let delete = key.starts_with(DELETE_FROM_LIST);
        let key = if delete {
            directive::field(key, DELETE_FROM_LIST, Refusal::PRIMITIVE_LIST)?
        } else {
            key.as_str()
        };
        if change.is_null() {
            original.remove(key);
            continue;
        }
        let there = original.remove(key);
        if let Some(value) = merge_field(there, change, key, schema, delete)? {
            original.insert(key.to_owned(), value);
        }
    }
    Ok(original)
}

/// The value of one field; `None` if it goes.
fn merge_field(
    there: Option<Value>,
    change: &mut Value,
    key: &str,
    schema: Option<Schema<'_>>,
    delete: bool,
) -> Result<Option<Value>, Refusal> {
    Ok(match (there, change) {
        (Some(Value::Object(there)), Value::Object(change)) => {
            let field = field(schema, key)?;
            if field.is_some_and(|field| field.patch.replace) {
                Some(Value::Object(change.clone()))
            } else {
                Some(Value::Object(merge(there, change, field)?))
            }
        }
        (Some(Value::Array(there)), Value::Array(change)) => {
            let field = list_field(schema, key)?;
            if delete || field.patch.merge {
                let merge_key = field.patch.merge_key.as_deref().unwrap_or_default();
                Some(Value::Array(list::merge(
                    there,
                    change,
                    field.items(),
                    merge_key,
                    delete,
                )?))
            } else {
                Some(Value::Array(change.clone()))
            }
        }
        (there, change) if delete => {
            // Scalars of one type take the place of each other even here.
            let same = there
                .as_ref()
                .is_some_and(|there| print::type_(there) == print::type_(change));
            if same { Some(change.clone()) } else { there }
        }
        (_, change) => {
            directive::discard_nulls(change);
            let mut value = change.clone();
            directive::remove(&mut value).then_some(value)
        }
    })
}

/// The schema of a field that is an object.
fn field<'s>(schema: Option<Schema<'s>>, key: &str) -> Result<Option<Schema<'s>>, Refusal> {
    let Some(schema) = schema else { return Ok(None) };
    if schema.type_ == Type::Object && schema.properties.is_empty() && schema.additional.is_some() {
        return Err(Refusal::other(
            "merging an object in json but data type is not struct, instead is: map",
        ));
    }
    schema.property(key).map(Some).ok_or_else(|| {
        let name = schema.name.as_deref().unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or_default();
        Refusal::other(format!(
            "unable to find api field in struct {name} for the json field {key:?}"
        ))
    })
}

/// The schema of a field that is a list.
pub(super) fn list_field<'s>(schema: Option<Schema<'s>>, key: &str) -> Result<Schema<'s>, Refusal> {
    let not_a_list = || Refusal::other("expected slice or array type, but got: struct");
    let field = field(schema, key)?.ok_or_else(not_a_list)?;
    if field.type_ != Type::Array {
        return Err(not_a_list());
    }
    if field.items().is_some_and(|items| items.type_ == Type::Array) {
        return Err(Refusal::other("unexpected slice of slice"));
    }
    Ok(field)
}
