//! The `scale` subresource of custom objects.

use serde_json::{Map, Value, json};

use super::compile::{CustomVersion, ScalePaths};
use crate::failure::{Failure, FieldError, FieldPath};

/// What the real server takes for "not set" when a scale is applied to an object without replicas.
const NO_REPLICAS: i64 = i32::MIN as i64;

impl CustomVersion {
    /// The `Scale` of an object (`autoscaling/v1`), and whether the object has replicas. Reading the subresource of an
    /// object without replicas is an error ([`no_replicas`](Self::no_replicas)); changing it is not.
    ///
    /// # Errors
    ///
    /// A field is not of the type that a scale needs; in the words of the real server. `None` inside if the version
    /// has no such subresource.
    pub fn scale_of(&self, object: &Value) -> Result<Option<(Value, bool)>, String> {
        let Some(paths) = &self.scale else { return Ok(None) };
        let replicas = whole(object, &paths.spec_replicas)?;
        let current = whole(object, &paths.status_replicas)?.unwrap_or(0);
        let selector = match &paths.label_selector {
            Some(path) => text(object, path)?,
            None => None,
        };
        let mut metadata = Map::new();
        for name in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
            if let Some(value) = object["metadata"].get(name) {
                metadata.insert(name.into(), value.clone());
            }
        }
        let mut scale = json!({
            "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata,
            "spec": {}, "status": { "replicas": current },
        });
        if let Some(replicas) = replicas.filter(|it| *it != 0) {
            scale["spec"]["replicas"] = replicas.into();
        }
        if let Some(selector) = selector.filter(|it| !it.is_empty()) {
            scale["status"]["selector"] = selector.into();
        }
        Ok(Some((scale, replicas.is_some())))
    }

    /// The `Scale` that a change starts from: where the object has no replicas, a number stands that none may have.
    ///
    /// # Errors
    ///
    /// As [`scale_of`](Self::scale_of).
    pub fn scale_to_change(&self, object: &Value) -> Result<Option<Value>, String> {
        let scale = self.scale_of(object)?;
        Ok(scale.map(|(mut scale, found)| {
            if !found {
                scale["spec"]["replicas"] = NO_REPLICAS.into();
            }
            scale
        }))
    }

    /// The failure of reading the scale of an object without replicas.
    pub fn no_replicas(&self) -> Failure {
        let path = self.scale.as_ref().map_or("", |it| &it.spec_replicas);
        Failure::internal(format!("the spec replicas field {path:?} does not exist"))
    }

    /// Writes the replicas of a scale into an object.
    ///
    /// # Errors
    ///
    /// 400: the scale has no replicas, and neither has the object. 500: there is no place for them.
    pub fn apply_scale(&self, object: &mut Value, scale: &Value) -> Result<(), Failure> {
        let Some(paths) = &self.scale else { return Ok(()) };
        let replicas = scale["spec"]["replicas"].as_i64().unwrap_or(0);
        if replicas == NO_REPLICAS {
            let path = &paths.spec_replicas;
            return Err(Failure::bad_request(format!(
                "the spec replicas field {path:?} cannot be empty"
            )));
        }
        let mut place = object;
        let mut path = String::new();
        for name in steps(&paths.spec_replicas) {
            if !place.is_object() {
                let why = format!("value cannot be set because {path} is not a map[string]interface{{}}");
                return Err(Failure::internal(why));
            }
            path = format!("{path}.{name}");
            place = &mut place[name];
            if place.is_null() {
                *place = Value::Object(Map::new());
            }
        }
        *place = replicas.into();
        Ok(())
    }
}

/// Checks the fields that a scale reads: `spec` ones, too, unless only the status changes.
pub(super) fn validate(paths: &ScalePaths, object: &Value, spec: bool) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let replicas = [(&paths.spec_replicas, spec), (&paths.status_replicas, true)];
    for (path, _) in replicas.into_iter().filter(|(_, checked)| *checked) {
        let at = FieldPath::new(&**path);
        match whole(object, path) {
            Err(why) => errors.push(FieldError::invalid(&at, &0.into(), why)),
            Ok(Some(it)) if it < 0 => {
                errors.push(FieldError::invalid(&at, &it.into(), "should be a non-negative integer"));
            }
            Ok(Some(it)) if it > i64::from(i32::MAX) => {
                errors.push(FieldError::invalid(
                    &at,
                    &it.into(),
                    "should be less than or equal to 2147483647",
                ));
            }
            Ok(_) => {}
        }
    }
    if let Some(path) = &paths.label_selector
        && let Err(why) = text(object, path)
    {
        errors.push(FieldError::invalid(&FieldPath::new(&**path), &"".into(), why));
    }
    errors
}

fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('.').unwrap_or(path).split('.')
}

fn whole(object: &Value, path: &str) -> Result<Option<i64>, String> {
    let value = nested(object, path)?;
    let read = |it: &Value| it.as_i64().ok_or_else(|| wrong(path, it, "int64"));
    value.map(read).transpose()
}

fn text(object: &Value, path: &str) -> Result<Option<String>, String> {
    let value = nested(object, path)?;
    let read = |it: &Value| it.as_str().map(str::to_owned).ok_or_else(|| wrong(path, it, "string"));
    value.map(read).transpose()
}

fn nested<'a>(object: &'a Value, path: &str) -> Result<Option<&'a Value>, String> {
    let mut value = object;
    let mut done = String::new();
    for name in steps(path) {
        let Some(fields) = value.as_object() else {
            let (go, is) = (go_print(value), go_type(value));
            return Err(format!(
                "{done} accessor error: {go} is of the type {is}, expected map[string]interface{{}}"
            ));
        };
        done = format!("{done}.{name}");
        match fields.get(name) {
            Some(it) => value = it,
            None => return Ok(None),
        }
    }
    Ok(Some(value))
}

fn wrong(path: &str, value: &Value, expected: &str) -> String {
    let path = steps(path).collect::<Vec<_>>().join(".");
    let (go, is) = (go_print(value), go_type(value));
    format!(".{path} accessor error: {go} is of the type {is}, expected {expected}")
}

/// A value as Go's `%v` prints it.
fn go_print(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(go_print).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, it)| format!("{name}:{}", go_print(it)))
                .collect();
            format!("map[{}]", fields.join(" "))
        }
        other => other.to_string(),
    }
}

fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}
