//! What types are in a schema. Whether the API server takes it, and judges values by it as serde does, is tested on the servers.

mod documented;
mod enums;
mod plain;
mod refused;

use schemars::JsonSchema;
use serde_json::Value;

use super::object::of;

/// The schema of a type that stands in `.spec`.
fn schema<T: JsonSchema>() -> Value {
    of::<T>(".spec").expect("it can be said")
}

/// Why there is none.
fn refusal<T: JsonSchema>() -> String {
    of::<T>(".spec").expect_err("it cannot be said").to_string()
}
