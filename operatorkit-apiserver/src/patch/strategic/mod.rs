//! Strategic merge patch (`k8s.io/apimachinery/pkg/util/strategicpatch`), driven by the schema of the kind. The real server
//! walks an object's fields in an order of chance; here it is that of their names.
//!
//! | module | what |
//! |---|---|
//! | [`map`] | objects |
//! | [`list`] | lists |
//! | [`element_order`] | lists whose order the patch gives |
//! | [`order`] | the order of merged items |
//! | [`directive`] | `$patch`, `$retainKeys`, and what is left of directives |
//! | [`refusal`] | why it cannot be done |
//! | [`print`] | values in error messages |

mod directive;
mod element_order;
mod list;
mod map;
mod order;
pub(crate) mod print;
mod refusal;

use serde_json::{Map, Value};

use super::malformed;
use crate::{
    decode::json::{Json, parse},
    failure::Failure,
    schema::Schema,
};

/// Applies a strategic merge patch to an object of this schema.
///
/// # Errors
///
/// 400 for what is no object and for malformed directives, 422 for lists of lists, and 500 without a reason, as the real
/// server does it, for everything else: items without their merge key, unknown `$patch` directives, mixed lists.
pub fn strategic(object: &Value, patch: &[u8], schema: Schema<'_>) -> Result<Value, Failure> {
    let patch = parse(patch).map_err(|_| malformed())?;
    patched(object, &mut fields(&patch)?, schema).map(Value::Object)
}

/// The fields of a patch. `null` has none.
pub(super) fn fields(patch: &Json<'_>) -> Result<Map<String, Value>, Failure> {
    let refuse = |what: &str, type_: &str| {
        Failure::bad_request(format!("json: cannot unmarshal {what} into Go value of type {type_}"))
    };
    match patch.to_value() {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(refuse(patch.kind(), print::MAP)),
        Err(number) => Err(refuse(&format!("number {number}"), "float64")),
    }
}

/// The object that comes out. The patch loses what has been done, as error messages of the real server show it.
pub(super) fn patched(
    object: &Value,
    patch: &mut Map<String, Value>,
    schema: Schema<'_>,
) -> Result<Map<String, Value>, Failure> {
    let object = object.as_object().cloned().unwrap_or_default();
    Ok(map::merge(object, patch, Some(schema))?)
}
