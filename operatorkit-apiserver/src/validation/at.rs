//! A value and its place in the object.

use serde_json::Value;

use crate::failure::{FieldError, FieldPath};

/// What is wrong, in the order of the real server.
pub type Errors = Vec<FieldError>;

static NULL: Value = Value::Null;

/// A value and its place in the object. What is absent reads as `null`, as Go reads a nil pointer.
#[derive(Clone, Debug)]
pub struct At<'a> {
    /// The value.
    pub value: &'a Value,
    /// Its place.
    pub path: FieldPath,
}

impl<'a> At<'a> {
    /// An object.
    pub fn root(value: &'a Value) -> Self {
        Self::new(value, FieldPath::root())
    }

    /// A value at a place.
    pub fn new(value: &'a Value, path: FieldPath) -> Self {
        Self { value, path }
    }

    /// A field.
    #[must_use]
    pub fn get(&self, name: &str) -> Self {
        Self::new(self.value.get(name).unwrap_or(&NULL), self.path.child(name))
    }

    /// A value of a map, whose place is written `[key]`.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        Self::new(self.value.get(key).unwrap_or(&NULL), self.path.key(key))
    }

    /// The same value, at another place.
    #[must_use]
    pub fn placed(&self, path: FieldPath) -> Self {
        Self::new(self.value, path)
    }

    /// Another value at the same place.
    #[must_use]
    pub fn with<'b>(&self, value: &'b Value) -> At<'b> {
        At::new(value, self.path.clone())
    }

    /// The items of a list; none if it is not one.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Self> + use<'a> {
        let path = self.path.clone();
        let items = self.value.as_array().map_or(&[][..], Vec::as_slice);
        items
            .iter()
            .enumerate()
            .map(move |(index, item)| Self::new(item, path.index(index)))
    }

    /// The values of a map, by key; none if it is not one.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let path = self.path.clone();
        let entries = self.value.as_object().into_iter().flatten();
        entries.map(move |(key, value)| (key.as_str(), Self::new(value, path.key(key))))
    }

    /// Whether there is a value.
    pub fn is_set(&self) -> bool {
        !self.value.is_null()
    }

    /// Whether there is no value, or an empty one.
    pub fn is_empty(&self) -> bool {
        match self.value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// The number of items or entries.
    pub fn len(&self) -> usize {
        match self.value {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        }
    }

    /// The text; empty if there is none.
    pub fn text(&self) -> &'a str {
        self.value.as_str().unwrap_or_default()
    }

    /// The whole number, if there is one.
    pub fn int(&self) -> Option<i64> {
        self.value.as_i64()
    }

    /// The whole number, 0 if there is none.
    pub fn number(&self) -> i64 {
        self.int().unwrap_or_default()
    }

    /// Whether it is `true`.
    pub fn is_true(&self) -> bool {
        self.value == &Value::Bool(true)
    }

    /// Whether it is `false`.
    pub fn is_false(&self) -> bool {
        self.value == &Value::Bool(false)
    }

    /// Whether it is this text.
    pub fn is(&self, text: &str) -> bool {
        self.value.as_str() == Some(text)
    }

    /// Whether it is one of these texts.
    pub fn is_any(&self, texts: &[&str]) -> bool {
        texts.contains(&self.text())
    }

    /// `Required value: <detail>`.
    pub fn required(&self, detail: &str) -> FieldError {
        FieldError::required(&self.path, detail)
    }

    /// `Invalid value: <value>: <detail>`. A text that is absent is `""`, as in Go.
    pub fn invalid(&self, detail: impl AsRef<str>) -> FieldError {
        FieldError::invalid(&self.path, self.value, detail)
    }

    /// As [`Self::invalid`], with the fields of objects in the order of their Go type, not by name.
    pub fn invalid_in_order(&self, order: &[&str], detail: impl AsRef<str>) -> FieldError {
        let mut error = self.invalid("");
        error.body = format!("Invalid value: {}: {}", in_order(self.value, order), detail.as_ref());
        error
    }

    /// `Forbidden: <detail>`.
    pub fn forbidden(&self, detail: impl AsRef<str>) -> FieldError {
        FieldError::forbidden(&self.path, detail)
    }

    /// `Duplicate value: <value>`.
    pub fn duplicate(&self) -> FieldError {
        FieldError::duplicate(&self.path, self.value)
    }

    /// `Not found: <value>`.
    pub fn not_found(&self) -> FieldError {
        FieldError::not_found(&self.path, self.value)
    }

    /// `Unsupported value: <value>: supported values: …`, in this order. A text that is absent is `""`.
    pub fn not_supported(&self, supported: &[&str]) -> FieldError {
        let empty = Value::String(String::new());
        let value = if self.is_set() { self.value } else { &empty };
        let mut error = FieldError::not_supported::<&str>(&self.path, value, &[]);
        let supported: Vec<_> = supported.iter().map(|it| format!("{it:?}")).collect();
        error.body = format!("{}: supported values: {}", error.body, supported.join(", "));
        error
    }

    /// One `Invalid value` for each message.
    pub fn all_invalid(&self, details: impl IntoIterator<Item = impl AsRef<str>>) -> Errors {
        let empty = Value::String(String::new());
        let value = if self.is_set() { self.value } else { &empty };
        details
            .into_iter()
            .map(|it| FieldError::invalid(&self.path, value, it))
            .collect()
    }

    /// As [`Self::immutable`], where the real server declares the rule at the type: then it shows `null` for the value.
    pub fn declared_immutable(&self, old: &Self) -> Option<FieldError> {
        self.immutable(old)
            .map(|_| self.with(&NULL).invalid("field is immutable"))
    }

    /// `Invalid value: …: field is immutable`, unless the old value means the same.
    pub fn immutable(&self, old: &Self) -> Option<FieldError> {
        (!same(self.value, old.value)).then(|| self.invalid("field is immutable"))
    }
}

/// JSON with the fields of objects in this order; those that are not named come last, by name.
fn in_order(value: &Value, order: &[&str]) -> String {
    let inner = |it: &Value| in_order(it, order);
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(inner).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            let place = |key: &str| order.iter().position(|it| *it == key).unwrap_or(order.len());
            fields.sort_by_key(|(key, _)| (place(key), key.as_str()));
            let fields: Vec<_> = fields
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), inner(value)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// Whether two values mean the same: what is absent, `null` and empty are one (`apiequality.Semantic.DeepEqual`).
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            let missing = |key: &String| !left.contains_key(key);
            left.iter()
                .all(|(key, value)| same(value, right.get(key).unwrap_or(&NULL)))
                && right
                    .iter()
                    .filter(|(key, _)| missing(key))
                    .all(|(_, value)| is_nothing(value))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (left, right) => left == right || is_nothing(left) && is_nothing(right),
    }
}

/// Nil, or an empty list or map, which Go's semantic equality does not tell from nil. An empty struct behind a pointer is told from nil in Go:
/// only generations depend on that (`kinds/generation.rs`).
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
