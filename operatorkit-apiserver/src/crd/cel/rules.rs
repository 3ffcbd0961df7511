//! All rules of a schema, and running them (`k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel`).

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{budget, declare, kind::Kind, program::Program};
use crate::{
    crd::{check::steps, validation::Correlated},
    failure::{FieldError, FieldPath},
    schema::{NodeId, Rule, Schema},
};

mod run;

use run::{Ratchet, Run};

/// A rule that is ready to run.
#[derive(Clone, Debug)]
pub(in crate::crd) struct Compiled {
    rule: Rule,
    program: Program,
    message: Option<Program>,
    /// Where the error is, below the place of the rule.
    field: Option<String>,
}

impl Compiled {
    /// Whether the rule speaks of `oldSelf`.
    pub(in crate::crd) fn uses_old_self(&self) -> bool {
        self.program.uses_old_self
    }
}

/// Compiles the rules at a place: for each, the rule or what is wrong with its expression, and what is wrong with its
/// message. `root`: whether the place is the root of a resource.
pub(in crate::crd) fn compile_at(schema: Schema<'_>, root: bool) -> Vec<Result<(Compiled, Option<String>), String>> {
    let rules = schema.node().rules.as_deref().map_or(&[][..], |it| &it.cel);
    if rules.is_empty() {
        return Vec::new();
    }
    let kind = declare::kind_of(schema, root).unwrap_or(Kind::Dyn);
    rules.iter().map(|rule| compile(schema, rule, &kind)).collect()
}

fn compile(schema: Schema<'_>, rule: &Rule, kind: &Kind) -> Result<(Compiled, Option<String>), String> {
    let old = if rule.optional_old_self {
        Kind::optional(kind.clone())
    } else {
        kind.clone()
    };
    let variables = || vec![("self".to_owned(), kind.clone()), ("oldSelf".to_owned(), old.clone())];
    let program = Program::compile(&rule.rule, schema, variables(), &Kind::Bool, "")?;
    let source = rule.message_expression.as_deref();
    let message = source.map(|it| Program::compile(it, schema, variables(), &Kind::Text, "messageExpression "));
    let (message, wrong) = match message.transpose() {
        Ok(message) => (message, None),
        Err(why) => (None, Some(why)),
    };
    let field = rule.field_path.as_deref().and_then(|it| field_path(schema, it));
    let compiled = Compiled {
        rule: rule.clone(),
        program,
        message,
        field,
    };
    Ok((compiled, wrong))
}

/// The place that `fieldPath` names, as messages write it.
fn field_path(schema: Schema<'_>, path: &str) -> Option<String> {
    let mut field = FieldPath::root();
    let mut schema = schema;
    for name in steps(path, true).ok()? {
        if let Some(property) = schema.property(&name) {
            field = field.child(&name);
            schema = property;
        } else {
            field = field.key(&name);
            schema = schema.additional()?;
        }
    }
    Some(field.as_str().to_owned())
}

/// The compiled rules of a schema, by their places.
#[derive(Clone, Debug, Default)]
pub(in crate::crd) struct Rules {
    compiled: HashMap<NodeId, Vec<Result<Compiled, String>>>,
    /// The places with rules at or below them.
    with_rules: HashSet<NodeId>,
}

impl Rules {
    /// Compiles all rules at and below a place. `root`: whether it is the root of a resource.
    pub(in crate::crd) fn new(schema: Schema<'_>, root: bool) -> Self {
        let mut rules = Self::default();
        rules.add(schema, root);
        rules
    }

    /// Whether there is no rule at all.
    pub(in crate::crd) fn is_empty(&self) -> bool {
        self.with_rules.is_empty()
    }

    fn add(&mut self, schema: Schema<'_>, root: bool) -> bool {
        let compiled: Vec<_> = compile_at(schema, root)
            .into_iter()
            .map(|it| it.map(|(compiled, _)| compiled))
            .collect();
        let mut any = !compiled.is_empty();
        if any {
            self.compiled.insert(schema.id(), compiled);
        }
        let properties = schema.node().properties.values().map(|id| schema.at(*id));
        for below in properties.chain(schema.additional()).chain(schema.items()) {
            any |= self.add(below, below.embedded_resource);
        }
        if any {
            self.with_rules.insert(schema.id());
        }
        any
    }

    /// Runs the rules on a value, and on the old value it comes from. What fails but has not changed is let through.
    pub(in crate::crd) fn validate(
        &self,
        schema: Schema<'_>,
        new: &Value,
        old: Option<&Value>,
        at: &FieldPath,
        root: bool,
    ) -> Vec<FieldError> {
        let current = old.map(|old| Correlated::new(schema, new, old));
        let ratchet = Ratchet { current, parent: None };
        self.run(schema, new, old, at, root, ratchet)
    }

    /// The same, where nothing is let through.
    pub(in crate::crd) fn validate_all(
        &self,
        schema: Schema<'_>,
        new: &Value,
        old: Option<&Value>,
        at: &FieldPath,
        root: bool,
    ) -> Vec<FieldError> {
        let ratchet = Ratchet {
            current: None,
            parent: None,
        };
        self.run(schema, new, old, at, root, ratchet)
    }

    fn run(
        &self,
        schema: Schema<'_>,
        new: &Value,
        old: Option<&Value>,
        at: &FieldPath,
        root: bool,
        ratchet: Ratchet<'_>,
    ) -> Vec<FieldError> {
        let mut run = Run {
            rules: self,
            left: budget::PER_OBJECT,
            errors: Vec::new(),
        };
        run.value(schema, new, old, at, root, ratchet);
        run.errors
    }
}
