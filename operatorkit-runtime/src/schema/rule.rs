//! Rules in CEL, which the API server evaluates when an object is written.

use schemars::{Schema, transform::Transform};
use serde::Serialize;
use serde_json::Value;

use super::node::RULES;

/// A rule in [CEL](https://kubernetes.io/docs/reference/using-api/cel/), as `validation(..)` says it: an object for which it is false is refused.
///
/// `self` is what the rule stands on, and `oldSelf` what that was before. Whether the expression is one is checked by the API server when the CRD is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    #[serde(rename = "rule")]
    expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional_old_self: Option<bool>,
}

/// Why a value is refused, for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Reason {
    /// The value is malformed or out of bounds: the default.
    #[serde(rename = "FieldValueInvalid")]
    Invalid,
    /// The value is well-formed, and not permitted as things are.
    #[serde(rename = "FieldValueForbidden")]
    Forbidden,
    /// A value is missing.
    #[serde(rename = "FieldValueRequired")]
    Required,
    /// The value must be unique, and is not.
    #[serde(rename = "FieldValueDuplicate")]
    Duplicate,
}

impl Rule {
    /// A rule that must be true, told as `failed rule: <rule>` where it is not.
    pub fn new(expression: impl Into<String>) -> Self {
        Self {
            expression: expression.into(),
            message: None,
            message_expression: None,
            reason: None,
            field_path: None,
            optional_old_self: None,
        }
    }

    /// What is told where it is not true: one line.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same in CEL: an expression that gives a string. The message is told where it fails.
    #[must_use]
    pub fn message_expression(mut self, expression: impl Into<String>) -> Self {
        self.message_expression = Some(expression.into());
        self
    }

    /// Why, for machines.
    #[must_use]
    pub fn reason(mut self, reason: Reason) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Which field it is about, from where the rule stands: `.min`.
    #[must_use]
    pub fn field_path(mut self, path: impl Into<String>) -> Self {
        self.field_path = Some(path.into());
        self
    }

    /// A rule about `oldSelf` holds for new objects, too: `oldSelf` is an optional value then.
    #[must_use]
    pub fn optional_old_self(mut self) -> Self {
        self.optional_old_self = Some(true);
        self
    }
}

/// Adds rules to a schema: `#[schemars(transform = rules([..]))]`.
#[derive(Clone, Debug)]
pub struct Rules(Vec<Rule>);

/// What adds these rules to the schema of a type or field, behind those that it has.
pub fn rules(rules: impl IntoIterator<Item = Rule>) -> Rules {
    Rules(rules.into_iter().collect())
}

impl Transform for Rules {
    fn transform(&mut self, schema: &mut Schema) {
        let rules = self
            .0
            .iter()
            .map(|rule| serde_json::to_value(rule).expect("a rule is JSON"));
        let there = schema.ensure_object().entry(RULES);
        if let Value::Array(there) = there.or_insert_with(|| Value::Array(Vec::new())) {
            there.extend(rules);
        }
    }
}
