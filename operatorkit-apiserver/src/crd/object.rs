//! What creating and changing a custom object does beside its schema (`k8s.io/apiextensions-apiserver/pkg/registry/customresource`).

use serde_json::Value;

use super::{
    compile::CustomVersion,
    defaulting, embedded, object_meta,
    prune::prune,
    scale,
    validation::{self, list_type},
};
use crate::failure::{Failure, FieldError, FieldPath};

impl CustomVersion {
    /// Reads an object of this version: metadata of the wrong type is refused, fields that are not known go, and so do
    /// `null`s that may not be. The paths of unknown fields are returned, as field validation names them. Defaults are
    /// applied by [`default`](Self::default), after this.
    ///
    /// # Errors
    ///
    /// 400: a field that all objects have is of the wrong type.
    pub fn decode(&self, object: &mut Value) -> Result<Vec<String>, Failure> {
        self.settle(object, true)
    }

    /// The same for what an apply has made: what it says to be `null` stays so, and may be refused.
    ///
    /// # Errors
    ///
    /// As [`Self::decode`].
    pub fn settle_applied(&self, object: &mut Value) -> Result<(), Failure> {
        self.settle(object, false).map(|_| ())
    }

    fn settle(&self, object: &mut Value, prune_nulls: bool) -> Result<Vec<String>, Failure> {
        let refuse = |why: String| {
            let (kind, version) = (&self.kind, &self.version);
            Failure::bad_request(format!(
                "{kind} in version {version:?} cannot be handled as a {kind}: {why}"
            ))
        };
        let schema = self.structural();
        let mut unknown = Vec::new();
        settle_numbers(object);
        if let Some(metadata) = object.get_mut("metadata") {
            let found = object_meta::decode(metadata).map_err(refuse)?;
            unknown.extend(found.into_iter().map(|it| format!("metadata.{it}")));
        }
        unknown.extend(prune(schema.get(), object));
        if prune_nulls {
            defaulting::prune_nulls(schema.get(), object);
        }
        let found = embedded::coerce(schema.get(), object, &FieldPath::root());
        unknown.extend(found.map_err(|why| refuse(why.to_string()))?);
        Ok(unknown)
    }

    /// Fills in the defaults.
    pub fn default(&self, object: &mut Value) {
        defaulting::apply_defaults(self.structural().get(), object);
    }

    /// Prepares an object to be created: no status where that is a subresource, and the first generation.
    pub fn prepare_create(&self, object: &mut Value) {
        let Some(fields) = object.as_object_mut() else { return };
        if self.status {
            fields.remove("status");
        }
        set_generation(object, 1);
    }

    /// Prepares an object to replace another: the status stays where that is a subresource, and any change outside of
    /// the metadata is a new generation.
    pub fn prepare_update(&self, new: &mut Value, old: &Value) {
        let Some(fields) = new.as_object_mut() else { return };
        if self.status {
            match old.get("status") {
                Some(status) => fields.insert("status".into(), status.clone()),
                None => fields.remove("status"),
            };
        }
        let generation = old["metadata"]["generation"].as_i64().unwrap_or(0);
        set_generation(new, generation + i64::from(!same_beside_metadata(new, old)));
    }

    /// Prepares an object whose status replaces that of another: all but the status and the managed fields is as it
    /// was.
    pub fn prepare_status_update(&self, new: &mut Value, old: &Value) {
        let status = new.get("status").cloned();
        let managed = new["metadata"].get("managedFields").cloned();
        let version = new["metadata"].get("resourceVersion").cloned();
        *new = old.clone();
        set(new, "status", status);
        let Some(metadata) = new.get_mut("metadata") else {
            return;
        };
        set(metadata, "managedFields", managed);
        if version.is_some() {
            set(metadata, "resourceVersion", version);
        }
    }

    /// Checks an object that is to be created. The metadata of the object itself are not looked at, their rules are the same
    /// for all kinds: `errors` is what is wrong with them.
    pub fn validate_create(&self, object: &Value, errors: Vec<FieldError>) -> Vec<FieldError> {
        let wrong = self.type_meta(object);
        if !wrong.is_empty() {
            return wrong;
        }
        let mut errors = errors;
        let schema = self.structural();
        let root = FieldPath::root();
        errors.extend(validation::validate(schema.get(), object, None, &root));
        errors.extend(self.validate_scale(object, true));
        errors.extend(embedded::validate(schema.get(), object, &root));
        errors.extend(list_type::validate(schema.get(), object, &root));
        self.run_rules(object, None, &mut errors);
        errors
    }

    /// Checks an object that is to replace another; `errors` is what is wrong with its metadata.
    pub fn validate_update(&self, new: &Value, old: &Value, errors: Vec<FieldError>) -> Vec<FieldError> {
        let wrong = self.type_meta(new);
        if !wrong.is_empty() {
            return wrong;
        }
        let mut errors = errors;
        let schema = self.structural();
        let root = FieldPath::root();
        errors.extend(validation::validate(schema.get(), new, Some(old), &root));
        errors.extend(self.validate_scale(new, true));
        errors.extend(embedded::validate(schema.get(), new, &root));
        errors.extend(self.changed_lists(new, old));
        self.run_rules(new, Some(old), &mut errors);
        errors
    }

    /// Checks an object whose status is to replace that of another; `errors` is what is wrong with its metadata.
    pub fn validate_status_update(&self, new: &Value, old: &Value, errors: Vec<FieldError>) -> Vec<FieldError> {
        let wrong = self.type_meta(new);
        if !wrong.is_empty() {
            return wrong;
        }
        let mut errors = errors;
        let schema = self.structural();
        if let (Some(status), Some(schema)) = (new.get("status"), schema.get().property("status")) {
            let at = FieldPath::new("status");
            errors.extend(validation::validate(schema, status, old.get("status"), &at));
        }
        errors.extend(self.validate_scale(new, false));
        errors.extend(self.changed_lists(new, old));
        self.run_rules(new, Some(old), &mut errors);
        errors
    }

    /// Runs the rules, unless the object is wrong in a way that rules need not expect.
    fn run_rules(&self, new: &Value, old: Option<&Value>, errors: &mut Vec<FieldError>) {
        const BLOCKING: [&str; 5] = [
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid",
        ];
        if self.rules.is_empty() {
            return;
        }
        if errors.iter().any(|it| BLOCKING.contains(&it.reason)) {
            let detail = "some validation rules were not checked because the object was invalid; correct the existing \
                          errors to complete validation";
            errors.push(FieldError::invalid(&FieldPath::root(), &Value::Null, detail));
            return;
        }
        let schema = self.structural();
        errors.extend(self.rules.validate(schema.get(), new, old, &FieldPath::root(), true));
    }

    /// Duplicates in lists, unless the old object has some, too.
    fn changed_lists(&self, new: &Value, old: &Value) -> Vec<FieldError> {
        let schema = self.structural();
        let errors = list_type::validate(schema.get(), new, &FieldPath::root());
        if !errors.is_empty() && !list_type::validate(schema.get(), old, &FieldPath::root()).is_empty() {
            return Vec::new();
        }
        errors
    }

    fn type_meta(&self, object: &Value) -> Vec<FieldError> {
        let expected = [
            ("kind", self.kind.to_string()),
            ("apiVersion", format!("{}/{}", self.group, self.version)),
        ];
        let wrong = expected.iter().filter(|(name, it)| object[*name] != it.as_str());
        wrong
            .map(|(name, expected)| {
                let value = object[*name].as_str().unwrap_or_default();
                FieldError::invalid(&FieldPath::new(*name), &value.into(), format!("must be {expected}"))
            })
            .collect()
    }

    fn validate_scale(&self, object: &Value, spec: bool) -> Vec<FieldError> {
        let errors = self.scale.as_ref().map(|paths| scale::validate(paths, object, spec));
        errors.unwrap_or_default()
    }
}

/// Numbers that are whole are written without a fraction, as Go's JSON encoder does: `1.0` is stored as `1`.
#[allow(clippy::cast_possible_truncation)]
fn settle_numbers(value: &mut Value) {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|it| it.fract() == 0.0 && it.abs() <= LARGEST);
            if let Some(whole) = whole {
                *value = (whole as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(settle_numbers),
        Value::Object(fields) => fields.values_mut().for_each(settle_numbers),
        _ => {}
    }
}

fn same_beside_metadata(one: &Value, other: &Value) -> bool {
    let beside = |it: &Value| {
        let fields = super::structure::object(it).filter(|(name, _)| *name != "metadata");
        fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<Vec<_>>()
    };
    beside(one) == beside(other)
}

fn set_generation(object: &mut Value, generation: i64) {
    if let Some(fields) = object.as_object_mut() {
        let metadata = fields
            .entry("metadata")
            .or_insert_with(|| Value::Object(serde_json::Map::new()));
        set(metadata, "generation", Some(generation.into()));
    }
}

fn set(object: &mut Value, name: &str, value: Option<Value>) {
    let Some(fields) = object.as_object_mut() else { return };
    match value {
        Some(value) => fields.insert(name.into(), value),
        None => fields.remove(name),
    };
}
