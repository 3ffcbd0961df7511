//! Calls of functions and operators.

use super::{CallExpr, Checker, Expr, IdedExpr, Kind, LiteralValue, Overload, declarations, operators, qualified};
use crate::crd::validation::{formats, pattern};

impl Checker<'_> {
    pub(super) fn call(&mut self, id: u64, call: &CallExpr) -> Kind {
        match (call.func_name.as_str(), &call.args[..]) {
            (operators::CONDITIONAL, [condition, yes, no]) => return self.conditional(id, condition, yes, no),
            (operators::LOGICAL_AND | operators::LOGICAL_OR, [one, other]) => {
                return self.logical(one, other);
            }
            (operators::INDEX, [operand, index]) => {
                let (operand, index) = (self.expression(operand), self.expression(index));
                return self.index(id, operators::INDEX, &operand, &index);
            }
            (operators::OPT_INDEX, [operand, index]) => {
                let (operand, index) = (self.expression(operand), self.expression(index));
                let kind = self.index(id, operators::OPT_INDEX, &operand, &index);
                return if matches!(kind, Kind::Optional(_)) {
                    kind
                } else {
                    Kind::optional(kind)
                };
            }
            (operators::OPT_SELECT, [operand, field]) => {
                let kind = self.expression(operand);
                let name = match &field.expr {
                    Expr::Literal(LiteralValue::String(it)) => it.inner(),
                    _ => "",
                };
                let kind = self.field(id, &kind, name);
                return if matches!(kind, Kind::Optional(_)) {
                    kind
                } else {
                    Kind::optional(kind)
                };
            }
            _ => {}
        }
        self.function(id, call)
    }

    fn conditional(&mut self, id: u64, condition: &IdedExpr, yes: &IdedExpr, no: &IdedExpr) -> Kind {
        let kinds = [condition, yes, no].map(|it| self.expression(it));
        let boolean = kinds[0] == Kind::Bool || kinds[0].is_open();
        match kinds[1].join(&kinds[2]).filter(|_| boolean) {
            Some(kind) => kind,
            None => self.no_overload(id, operators::CONDITIONAL, &kinds, false),
        }
    }

    fn logical(&mut self, one: &IdedExpr, other: &IdedExpr) -> Kind {
        self.expect_bool(one);
        self.expect_bool(other);
        Kind::Bool
    }

    fn index(&mut self, id: u64, name: &str, operand: &Kind, index: &Kind) -> Kind {
        let mut bound = [None, None];
        match operand {
            Kind::Optional(of) => {
                let of = (**of).clone();
                return Kind::optional(self.index(id, name, &of, index));
            }
            Kind::List(of) if index.fits(&Kind::Int, &mut bound) => return (**of).clone(),
            Kind::Map(key, value) if index.fits(key, &mut bound) => return (**value).clone(),
            kind if kind.is_open() => return Kind::Dyn,
            _ => {}
        }
        self.no_overload(id, name, &[operand.clone(), index.clone()], false)
    }

    fn function(&mut self, id: u64, call: &CallExpr) -> Kind {
        if let Some(target) = &call.target
            && let Some(namespace) = qualified::namespace(target).filter(|it| declarations::is_namespace(it))
        {
            let name = format!("{namespace}.{}", call.func_name);
            let overloads = declarations::overloads(&name);
            if !overloads.is_empty() {
                let kinds: Vec<_> = call.args.iter().map(|it| self.expression(it)).collect();
                return self.resolve(id, &name, overloads, &kinds, false);
            }
        }
        let overloads = declarations::overloads(&call.func_name);
        let member = call.target.is_some();
        let mut kinds: Vec<_> = call.target.iter().map(|it| self.expression(it)).collect();
        self.mixed = call.func_name == "format";
        kinds.extend(call.args.iter().map(|it| self.expression(it)));
        self.mixed = false;
        if overloads.is_empty() {
            let what = format!("undeclared reference to '{}' (in container '')", call.func_name);
            return self.refuse(id, what);
        }
        self.literal_argument(call);
        self.resolve(id, &call.func_name, overloads, &kinds, member)
    }

    /// Texts that are written out must be what they stand for: regular expressions, durations, times.
    fn literal_argument(&mut self, call: &CallExpr) {
        let Some(Expr::Literal(LiteralValue::String(text))) = call.args.last().map(|it| &it.expr) else {
            return;
        };
        let text = text.inner();
        let valid = match call.func_name.as_str() {
            "matches" => pattern::compile(text).is_ok(),
            "duration" if call.target.is_none() => formats::parse_go_duration(text).is_some(),
            "timestamp" if call.target.is_none() => chrono::DateTime::parse_from_rfc3339(text).is_ok(),
            _ => true,
        };
        if let Some(argument) = call.args.last().filter(|_| !valid) {
            self.refuse(argument.id, format!("invalid {} argument", call.func_name));
        }
    }

    fn resolve(&mut self, id: u64, name: &str, overloads: &[Overload], kinds: &[Kind], member: bool) -> Kind {
        let mut result: Option<Kind> = None;
        for overload in overloads {
            if overload.member != member || overload.parameters.len() != kinds.len() {
                continue;
            }
            let mut bound = [None, None];
            let mut pairs = kinds.iter().zip(&overload.parameters);
            if !pairs.all(|(kind, wanted)| kind.fits(wanted, &mut bound)) {
                continue;
            }
            let found = overload.result.filled(&bound);
            result = match result {
                Some(before) if before != found => Some(Kind::Dyn),
                _ => Some(found),
            };
        }
        match result {
            Some(kind) => kind,
            // What is wrong with the receiver has been said.
            None if kinds.first().is_some_and(Kind::is_open) && member => Kind::Dyn,
            None => self.no_overload(id, name, kinds, member),
        }
    }

    fn no_overload(&mut self, id: u64, name: &str, kinds: &[Kind], member: bool) -> Kind {
        let list = |kinds: &[Kind]| kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let signature = match kinds {
            [target, rest @ ..] if member => format!("{target}.({})", list(rest)),
            kinds => format!("({})", list(kinds)),
        };
        self.refuse(
            id,
            format!("found no matching overload for '{name}' applied to '{signature}'"),
        )
    }
}
