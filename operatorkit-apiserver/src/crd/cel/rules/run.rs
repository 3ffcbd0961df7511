//! Running rules on a value and everything in it.

use serde_json::Value;

use super::{
    super::{
        budget,
        program::{Program, Variables, explain},
        value,
    },
    Compiled, Rules,
};
use crate::{
    crd::validation::Correlated,
    failure::{FieldError, FieldPath},
    schema::{Rule, Schema, Type},
};

/// What is said when a rule, or all of them together, do too much.
const SPENT: &str = "validation failed due to running out of cost budget, no further validation rules will be run";

/// What tells whether a value has changed: its old value, or that of what it is in.
#[derive(Clone, Copy)]
pub(super) struct Ratchet<'a> {
    pub(super) current: Option<Correlated<'a>>,
    pub(super) parent: Option<Correlated<'a>>,
}

impl<'a> Ratchet<'a> {
    fn is_unchanged(self) -> bool {
        self.current.or(self.parent).is_some_and(Correlated::is_unchanged)
    }

    fn below(self, step: impl FnOnce(Correlated<'a>) -> Option<Correlated<'a>>) -> Self {
        match self.current {
            Some(current) => Self {
                current: step(current),
                parent: Some(current),
            },
            None => self,
        }
    }
}

/// A run of all rules.
pub(super) struct Run<'a> {
    pub(super) rules: &'a Rules,
    /// What is left of the budget.
    pub(super) left: u64,
    pub(super) errors: Vec<FieldError>,
}

impl Run<'_> {
    /// Runs the rules at and below a value; whether to go on.
    pub(super) fn value(
        &mut self,
        schema: Schema<'_>,
        new: &Value,
        old: Option<&Value>,
        at: &FieldPath,
        root: bool,
        ratchet: Ratchet<'_>,
    ) -> bool {
        if new.is_null() || !self.rules.with_rules.contains(&schema.id()) {
            return true;
        }
        if !self.rules_at(schema, new, old, at, root, ratchet) {
            return false;
        }
        match new {
            Value::Object(fields) => fields.iter().all(|(name, value)| {
                let Some(field) = schema.field(name) else { return true };
                let known = schema.property(name).is_some();
                let at = if known { at.child(name) } else { at.key(name) };
                let old = old.and_then(|it| it.get(name));
                let type_meta = ratchet.parent.is_none() && matches!(name.as_str(), "apiVersion" | "kind");
                let ratchet = ratchet.below(|it| it.field(name).filter(|_| !type_meta));
                self.value(field, value, old, &at, field.embedded_resource, ratchet)
            }),
            Value::Array(items) => {
                let Some(item_schema) = schema.items() else { return true };
                let list = old.map(|old| Correlated::new(schema, new, old));
                items.iter().enumerate().all(|(index, item)| {
                    let old = list.and_then(|it| it.index(index)).map(Correlated::old);
                    let ratchet = ratchet.below(|it| it.index(index));
                    self.value(
                        item_schema,
                        item,
                        old,
                        &at.index(index),
                        item_schema.embedded_resource,
                        ratchet,
                    )
                })
            }
            _ => true,
        }
    }

    fn rules_at(
        &mut self,
        schema: Schema<'_>,
        new: &Value,
        old: Option<&Value>,
        at: &FieldPath,
        root: bool,
        ratchet: Ratchet<'_>,
    ) -> bool {
        let Some(compiled) = self.rules.compiled.get(&schema.id()) else {
            return true;
        };
        let old = old.filter(|it| !it.is_null());
        let new_value = value::of(schema, new, root);
        let old_value = old.map(|it| value::of(schema, it, root));
        for rule in compiled {
            let rule = match rule {
                Ok(rule) => rule,
                Err(why) => {
                    self.refuse(schema, at, &format!("rule compile error: {why}"));
                    continue;
                }
            };
            if rule.uses_old_self() && old.is_none() && !rule.rule.optional_old_self {
                continue;
            }
            let variables = Variables {
                new: new_value.as_ref(),
                old: old_value.as_deref(),
                optional: rule.rule.optional_old_self,
            };
            let held = budget::within(&mut self.left, rule.program.shallow, || rule.program.holds(variables));
            let Ok(held) = held else {
                self.refuse(schema, at, SPENT);
                return false;
            };
            match held {
                Ok(true) => {}
                Ok(false) => {
                    if rule.uses_old_self() || !ratchet.is_unchanged() {
                        let error = self.failed(rule, schema, new, at, variables);
                        self.errors.push(error);
                    }
                }
                Err(why) => self.refuse_for(schema, at, rule, &explain(&why)),
            }
        }
        true
    }

    /// An error that shows the type of the value.
    fn refuse(&mut self, schema: Schema<'_>, at: &FieldPath, why: &str) {
        self.errors
            .push(FieldError::invalid(at, &type_name(schema).into(), why));
    }

    fn refuse_for(&mut self, schema: Schema<'_>, at: &FieldPath, rule: &Compiled, why: &str) {
        let name = told(&rule.rule);
        let why = if why == "no such overload" {
            format!(
                "'{why}': call arguments did not match a supported operator, function or macro signature for rule: {name}"
            )
        } else {
            format!("{why} evaluating rule: {name}")
        };
        self.refuse(schema, at, &why);
    }

    fn failed(
        &mut self,
        rule: &Compiled,
        schema: Schema<'_>,
        new: &Value,
        at: &FieldPath,
        variables: Variables<'_>,
    ) -> FieldError {
        let at = match &rule.field {
            Some(field) => at.child(field),
            None => at.clone(),
        };
        let message = rule.message.as_ref().and_then(|it| self.message(it, variables));
        let detail = message.unwrap_or_else(|| match rule.rule.message.as_deref() {
            Some(message) => message.trim().to_owned(),
            None => format!("failed rule: {}", told(&rule.rule)),
        });
        let omitted = matches!(schema.type_, Type::Object | Type::Array);
        match (rule.rule.reason.as_deref(), omitted) {
            (Some("FieldValueForbidden"), _) => FieldError::forbidden(&at, &detail),
            (Some("FieldValueRequired"), _) => FieldError::required(&at, &detail),
            (Some("FieldValueDuplicate"), false) => FieldError::duplicate(&at, new),
            (Some("FieldValueDuplicate"), true) => FieldError {
                reason: "FieldValueDuplicate",
                field: at,
                body: "Duplicate value".into(),
            },
            (_, false) => FieldError::invalid(&at, new, &detail),
            (_, true) => FieldError {
                reason: "FieldValueInvalid",
                field: at,
                body: format!("Invalid value: {detail}"),
            },
        }
    }

    /// The message of an expression: one line, not empty, not too long.
    fn message(&mut self, program: &Program, variables: Variables<'_>) -> Option<String> {
        const LONGEST: usize = 5 * 1024;
        let message = budget::within(&mut self.left, program.shallow, || program.text(variables))
            .ok()?
            .ok()??;
        let message = message.trim();
        let fits = !message.is_empty() && message.len() <= LONGEST && !message.contains('\n');
        fits.then(|| message.to_owned())
    }
}

/// A rule in messages: its message, or its expression.
fn told(rule: &Rule) -> &str {
    rule.message.as_deref().unwrap_or(&rule.rule).trim()
}

fn type_name(schema: Schema<'_>) -> &'static str {
    match schema.type_ {
        Type::Any | Type::IntOrString => "",
        Type::Object => "object",
        Type::Array => "array",
        Type::String => "string",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
    }
}
