//! A value and everything in it, against a schema.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{
    correlation::Correlated,
    formats, logic, numbers,
    outcome::{Kind, Outcome, Problem},
    scalars,
};
use crate::schema::{Rules, Schema, Type};

/// Where the walk is.
#[derive(Debug, Default)]
pub(super) struct Walk {
    path: String,
}

impl Walk {
    /// The place of the value at hand.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Checks a value. What is wrong with a value that has not changed is let through.
    pub(super) fn check(&mut self, schema: Schema<'_>, value: &Value, old: Option<Correlated<'_>>) -> Outcome {
        let mut outcome = self.check_here(schema, value, old);
        if !outcome.is_valid() && old.is_some_and(Correlated::is_unchanged) {
            outcome.errors.clear();
        }
        outcome
    }

    /// Checks a value, without forgiving it as a whole. The order of the checks, and what they count, are those of
    /// the real server: the messages of `anyOf` and `oneOf` depend on them.
    pub(super) fn check_here(&mut self, schema: Schema<'_>, value: &Value, old: Option<Correlated<'_>>) -> Outcome {
        let rules = schema.node().rules.as_deref();
        let format = formats::effective(schema.type_, schema.format.as_deref());
        let mut outcome = Outcome::default();
        if value.is_null() {
            outcome.merge(self.type_of_null(schema));
            outcome.merge(scalars::enumeration(&self.path, value, rules));
            return outcome;
        }
        if schema.type_ != Type::Any || format.is_some() {
            outcome.merge(self.type_of(schema, value, format));
            outcome.matches += 1;
        }
        outcome.merge(logic::check(self, schema, value, old));
        outcome.matches += 1;
        match value {
            Value::String(text) => self.string(text, format, rules, &mut outcome),
            Value::Number(number) => {
                outcome.merge(numbers::number(&self.path, number, schema.type_, format, rules));
                outcome.matches += 1;
            }
            Value::Array(items) => {
                outcome.merge(self.items(schema, items, rules, old));
                outcome.matches += 1;
            }
            _ => {}
        }
        outcome.merge(scalars::enumeration(&self.path, value, rules));
        outcome.matches += 1;
        if let Value::Object(fields) = value {
            outcome.merge(self.fields(schema, fields, rules, old));
            outcome.matches += 1;
        }
        outcome.matches += 1;
        outcome
    }

    fn type_of_null(&self, schema: Schema<'_>) -> Outcome {
        if schema.type_ == Type::Any || schema.nullable {
            return Outcome {
                matches: 1,
                ..Outcome::default()
            };
        }
        self.wrong_type(type_name(schema.type_), "null")
    }

    fn type_of(&self, schema: Schema<'_>, value: &Value, format: Option<&str>) -> Outcome {
        let type_ = schema.type_;
        let (actual, actual_format) = scalars::type_of(value);
        let textual = matches!(value, Value::String(_) | Value::Array(_));
        let fits = scalars::fits(type_, value);
        let numeric = matches!(type_, Type::Integer | Type::Number | Type::IntOrString);
        match format {
            Some(format) if !textual && !fits && format != actual_format => {
                return self.wrong_type(format, actual_format);
            }
            Some(_) if textual && !numeric => {}
            _ if !fits => return self.wrong_type(type_name(type_), actual),
            _ => {}
        }
        Outcome {
            matches: 1,
            ..Outcome::default()
        }
    }

    fn wrong_type(&self, expected: &str, actual: &str) -> Outcome {
        Outcome::of(scalars::wrong_type(&self.path, expected, actual))
    }

    fn string(&self, text: &str, format: Option<&str>, rules: Option<&Rules>, outcome: &mut Outcome) {
        if let Some(problem) = scalars::string(&self.path, text, rules) {
            outcome.add(problem);
        }
        outcome.matches += 1;
        let Some(format) = format.filter(|it| formats::is_known(it)) else {
            return;
        };
        if !formats::is_valid(format, text) {
            outcome.add(scalars::wrong_type(&self.path, format, text));
        }
        outcome.matches += 1;
    }

    fn items(
        &mut self,
        schema: Schema<'_>,
        items: &[Value],
        rules: Option<&Rules>,
        old: Option<Correlated<'_>>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(item_schema) = schema.items() {
            for (index, item) in items.iter().enumerate() {
                let length = self.path.len();
                let _ = write!(self.path, "[{index}]");
                outcome.merge(self.check(item_schema, item, old.and_then(|it| it.index(index))));
                self.path.truncate(length);
            }
        }
        scalars::items(&self.path, items, rules, &mut outcome);
        outcome.matches += 1;
        outcome
    }

    fn fields(
        &mut self,
        schema: Schema<'_>,
        fields: &Map<String, Value>,
        rules: Option<&Rules>,
        old: Option<Correlated<'_>>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        scalars::properties(&self.path, fields, rules, &mut outcome);
        for (name, value) in fields {
            if schema.property(name).is_some() {
                continue;
            }
            if rules.is_some_and(|it| it.no_additional) {
                let message = format!("{}.{name} in body is a forbidden property", self.path);
                outcome.add(Problem::new(&self.path, message, Kind::Invalid(name.as_str().into())));
            } else if let Some(values) = schema.additional() {
                let old = old.and_then(|it| it.field(name)).filter(|_| !self.is_type_meta(name));
                outcome.merge(self.at(&format!(".{name}"), |it| it.check(values, value, old)));
            }
        }
        for (name, id) in &schema.node().properties {
            let Some(value) = fields.get(&**name) else { continue };
            let old = old.and_then(|it| it.field(name)).filter(|_| !self.is_type_meta(name));
            let dot = if self.path.is_empty() { "" } else { "." };
            outcome.merge(self.at(&format!("{dot}{name}"), |it| it.check(schema.at(*id), value, old)));
        }
        for name in &schema.node().required {
            if !fields.contains_key(&**name) {
                let path = format!("{}.{name}", self.path);
                let message = format!("{path} in body is required");
                outcome.add(Problem::new(path, message, Kind::Required));
            }
        }
        outcome
    }

    /// `apiVersion` and `kind` of the object are never let through.
    fn is_type_meta(&self, name: &str) -> bool {
        self.path.is_empty() && matches!(name, "apiVersion" | "kind")
    }

    fn at(&mut self, step: &str, then: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let length = self.path.len();
        self.path.push_str(step);
        let outcome = then(self);
        self.path.truncate(length);
        outcome
    }
}

fn type_name(type_: Type) -> &'static str {
    match type_ {
        Type::Any => "",
        Type::Object => "object",
        Type::Array => "array",
        Type::String => "string",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
        Type::IntOrString => "integer,string",
    }
}
