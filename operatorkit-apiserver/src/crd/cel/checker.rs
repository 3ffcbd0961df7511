//! The types of an expression, before it ever runs. What is wrong is said in the words of cel-go.

use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedExpr, ListExpr, LiteralValue, MapExpr, SelectExpr, SourceInfo,
    operators,
};

use super::{
    declarations::{self, Overload},
    declare,
    kind::Kind,
};
use crate::schema::Schema;

mod call;
mod qualified;

/// The names of types, which stand for themselves.
const TYPE_NAMES: [&str; 12] = [
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "type",
    "uint",
];

/// Checks an expression.
pub(super) struct Checker<'a> {
    /// Any place in the schema: the others are reached from it.
    schema: Schema<'a>,
    source: &'a SourceInfo,
    /// The variables, the innermost last.
    scope: Vec<(String, Kind)>,
    issues: Vec<(usize, String)>,
    uses_old_self: bool,
    /// Whether items may be of several types: in what `format` prints.
    mixed: bool,
}

/// What is known of an expression after it is checked.
pub(super) struct Checked {
    /// The type of its value.
    pub(super) kind: Kind,
    /// Whether it speaks of `oldSelf`.
    pub(super) uses_old_self: bool,
}

impl<'a> Checker<'a> {
    /// A checker, with the variables that an expression may speak of.
    pub(super) fn new(schema: Schema<'a>, source: &'a SourceInfo, variables: Vec<(String, Kind)>) -> Self {
        Self {
            schema,
            source,
            scope: variables,
            issues: Vec::new(),
            uses_old_self: false,
            mixed: false,
        }
    }

    /// The type of an expression.
    ///
    /// # Errors
    ///
    /// All that is wrong, with its place.
    pub(super) fn check(mut self, expression: &IdedExpr) -> Result<Checked, String> {
        let kind = self.expression(expression);
        if self.issues.is_empty() {
            return Ok(Checked {
                kind,
                uses_old_self: self.uses_old_self,
            });
        }
        self.issues.sort_by_key(|(at, _)| *at);
        let issues = self
            .issues
            .iter()
            .map(|(at, what)| locate(&self.source.source, *at, what));
        Err(issues.collect::<Vec<_>>().join("\n"))
    }

    fn refuse(&mut self, id: u64, what: String) -> Kind {
        let at = self.source.offset_for(id).map_or(0, |(start, _)| start as usize);
        if !self.issues.iter().any(|it| it.0 == at && it.1 == what) {
            self.issues.push((at, what));
        }
        Kind::Dyn
    }

    fn expression(&mut self, expression: &IdedExpr) -> Kind {
        match &expression.expr {
            Expr::Unspecified => Kind::Dyn,
            Expr::Literal(literal) => literal_kind(literal),
            Expr::Ident(name) => self.name(expression.id, name),
            Expr::Select(select) => self.select(expression.id, select),
            Expr::Call(call) => self.call(expression.id, call),
            Expr::List(list) => self.list(list),
            Expr::Map(map) => self.map(map),
            Expr::Struct(it) => {
                let what = format!("undeclared reference to '{}' (in container '')", it.type_name);
                self.refuse(expression.id, what)
            }
            Expr::Comprehension(it) => self.comprehension(it),
        }
    }

    fn name(&mut self, id: u64, name: &str) -> Kind {
        if let Some((_, kind)) = self.scope.iter().rev().find(|(it, _)| it == name) {
            self.uses_old_self |= name == "oldSelf";
            return kind.clone();
        }
        if TYPE_NAMES.contains(&name) {
            return Kind::Type;
        }
        self.refuse(id, format!("undeclared reference to '{name}' (in container '')"))
    }

    fn select(&mut self, id: u64, select: &SelectExpr) -> Kind {
        if qualified::is_type(select) {
            return Kind::Type;
        }
        let operand = self.expression(&select.operand);
        let field = self.field(id, &operand, &select.field);
        if select.test { Kind::Bool } else { field }
    }

    /// The type of a field.
    fn field(&mut self, id: u64, operand: &Kind, name: &str) -> Kind {
        match operand {
            Kind::Dyn | Kind::Free => Kind::Dyn,
            Kind::Map(_, value) => (**value).clone(),
            Kind::Optional(of) => Kind::optional(self.field(id, of, name)),
            Kind::Object(..) => match declare::field_of(self.schema, operand, name) {
                Some(kind) => kind,
                None => self.refuse(id, format!("undefined field '{name}'")),
            },
            Kind::Named(declare::METADATA) => match name {
                "name" | "generateName" => Kind::Text,
                _ => self.refuse(id, format!("undefined field '{name}'")),
            },
            other => self.refuse(id, format!("type '{other}' does not support field selection")),
        }
    }

    fn list(&mut self, list: &ListExpr) -> Kind {
        let mut items = Kind::Free;
        for (index, element) in list.elements.iter().enumerate() {
            let mut kind = self.expression(element);
            if let (Kind::Optional(of), true) = (&kind, list.optional_indices.contains(&index)) {
                kind = (**of).clone();
            }
            items = self.same(element.id, &items, &kind);
        }
        Kind::list(items)
    }

    fn map(&mut self, map: &MapExpr) -> Kind {
        let (mut keys, mut values) = (Kind::Free, Kind::Free);
        for entry in &map.entries {
            let EntryExpr::MapEntry(it) = &entry.expr else { continue };
            let (key, mut value) = (self.expression(&it.key), self.expression(&it.value));
            if let (Kind::Optional(of), true) = (&value, it.optional) {
                value = (**of).clone();
            }
            keys = self.same(it.key.id, &keys, &key);
            values = self.same(it.value.id, &values, &value);
        }
        Kind::map(keys, values)
    }

    /// Lists and maps have items of one type.
    fn same(&mut self, id: u64, before: &Kind, kind: &Kind) -> Kind {
        match before.join(kind) {
            Some(joined) => joined,
            None if self.mixed => Kind::Dyn,
            None => self.refuse(id, format!("expected type '{before}' but found '{kind}'")),
        }
    }

    fn comprehension(&mut self, it: &ComprehensionExpr) -> Kind {
        let accumulator = self.expression(&it.accu_init);
        let range = self.expression(&it.iter_range);
        let item = match &range {
            Kind::List(of) => (**of).clone(),
            Kind::Map(key, _) => (**key).clone(),
            kind if kind.is_open() => Kind::Dyn,
            other => {
                let what = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.refuse(it.iter_range.id, what)
            }
        };
        let depth = self.scope.len();
        self.scope.push((it.accu_var.clone(), accumulator.clone()));
        self.scope.push((it.iter_var.clone(), item));
        self.expect_bool(&it.loop_cond);
        let step = self.expression(&it.loop_step);
        let accumulator = accumulator.join(&step).unwrap_or(Kind::Dyn);
        self.scope.truncate(depth);
        self.scope.push((it.accu_var.clone(), accumulator));
        let result = self.expression(&it.result);
        self.scope.truncate(depth);
        result
    }

    fn expect_bool(&mut self, expression: &IdedExpr) {
        let kind = self.expression(expression);
        if kind != Kind::Bool && !kind.is_open() {
            self.refuse(expression.id, format!("expected type 'bool' but found '{kind}'"));
        }
    }
}

fn literal_kind(literal: &LiteralValue) -> Kind {
    match literal {
        LiteralValue::Boolean(_) => Kind::Bool,
        LiteralValue::Bytes(_) => Kind::Bytes,
        LiteralValue::Double(_) => Kind::Double,
        LiteralValue::Int(_) => Kind::Int,
        LiteralValue::Null => Kind::Null,
        LiteralValue::String(_) => Kind::Text,
        LiteralValue::UInt(_) => Kind::Uint,
    }
}

/// An issue as cel-go prints it: with the line it is in, and a mark below it. `at` is a place in bytes.
pub(super) fn locate(source: &str, at: usize, what: &str) -> String {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let before = &source[..at];
    let line = before.matches('\n').count();
    let before = before.rsplit('\n').next().unwrap_or_default();
    let text = source.lines().nth(line).unwrap_or_default();
    let dots: String = before
        .chars()
        .map(|it| if it.is_ascii() { '.' } else { '．' })
        .collect();
    format!(
        "ERROR: <input>:{}:{}: {what}\n | {text}\n | {dots}^",
        line + 1,
        before.chars().count() + 1,
    )
}
