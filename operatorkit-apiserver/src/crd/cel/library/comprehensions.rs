//! Macros with two variables, for the index or key and the value (`cel-go/ext`): `map.all(k, v, …)`.

use cel::{
    DeclarationError, Env,
    common::{
        ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, ListExpr, LiteralValue, operators},
        types::CelInt,
    },
    parser::{Macro, MacroExprHelper, ParseError},
};

const RESULT: &str = "@result";
const RANGE: &str = "@range";
const INDICES: &str = "@indices";

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    for name in ["all", "exists", "existsOne", "exists_one"] {
        env.add_macro(Macro::receiver(name, 3, move |helper, target, args| {
            Ok(Some(Fold::new(helper, target, args)?.test(name)))
        }))?;
    }
    for (name, of) in [
        ("transformList", Of::List),
        ("transformMap", Of::Map),
        ("transformMapEntry", Of::Entry),
    ] {
        for arguments in [3, 4] {
            env.add_macro(Macro::receiver(name, arguments, move |helper, target, args| {
                Ok(Some(Fold::new(helper, target, args)?.transform(of)))
            }))?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Of {
    List,
    Map,
    Entry,
}

struct Fold<'a, 'h> {
    helper: &'a mut MacroExprHelper<'h>,
    range: IdedExpr,
    index: String,
    value: Option<String>,
    args: Vec<IdedExpr>,
}

impl<'a, 'h> Fold<'a, 'h> {
    fn new(
        helper: &'a mut MacroExprHelper<'h>,
        target: &mut Option<IdedExpr>,
        args: &mut Vec<IdedExpr>,
    ) -> Result<Self, ParseError> {
        let rest = args.split_off(2);
        let mut names = Vec::new();
        for argument in args.drain(..) {
            match argument.expr {
                Expr::Ident(name) => names.push(name),
                _ => return Err(helper.new_error(argument.id, "argument must be a simple name")),
            }
        }
        let value = names.pop();
        let index = names.pop().unwrap_or_default();
        let range = target.take().unwrap_or_default();
        Ok(Self {
            helper,
            range,
            index,
            value,
            args: rest,
        })
    }

    fn node(&mut self, expression: Expr) -> IdedExpr {
        self.helper.next_expr(expression)
    }

    fn name(&mut self, name: &str) -> IdedExpr {
        self.node(Expr::Ident(name.into()))
    }

    fn call(&mut self, function: &str, args: Vec<IdedExpr>) -> IdedExpr {
        self.node(Expr::Call(CallExpr {
            func_name: function.into(),
            target: None,
            args,
        }))
    }

    fn boolean(&mut self, value: bool) -> IdedExpr {
        self.node(Expr::Literal(LiteralValue::Boolean(value.into())))
    }

    fn integer(&mut self, value: i64) -> IdedExpr {
        self.node(Expr::Literal(LiteralValue::Int(CelInt::from(value))))
    }

    fn list(&mut self, elements: Vec<IdedExpr>) -> IdedExpr {
        self.node(Expr::List(ListExpr::new(elements)))
    }

    /// `body`, with a name for a value.
    fn bind(&mut self, name: &str, value: IdedExpr, body: IdedExpr) -> IdedExpr {
        let fold = ComprehensionExpr {
            iter_range: self.list(Vec::new()),
            iter_var: "#unused".into(),
            iter_var2: None,
            accu_var: name.into(),
            accu_init: value,
            loop_cond: self.boolean(false),
            loop_step: self.name(name),
            result: body,
        };
        self.node(Expr::Comprehension(Box::new(fold)))
    }

    /// `body`, with the value at the index at hand bound to its name.
    fn with_value(&mut self, body: IdedExpr) -> IdedExpr {
        let Some(name) = self.value.clone() else { return body };
        let index = self.index.clone();
        let args = vec![self.name(RANGE), self.name(&index)];
        let value = self.call(operators::INDEX, args);
        self.bind(&name, value, body)
    }

    /// The whole: a fold over the indices, or over the items where there is one variable.
    fn fold(&mut self, init: IdedExpr, condition: IdedExpr, step: IdedExpr, result: IdedExpr) -> IdedExpr {
        let range = std::mem::take(&mut self.range);
        let over = match self.value {
            Some(_) => {
                let range = self.name(RANGE);
                self.call(INDICES, vec![range])
            }
            None => self.name(RANGE),
        };
        let fold = ComprehensionExpr {
            iter_range: over,
            iter_var: self.index.clone(),
            iter_var2: None,
            accu_var: RESULT.into(),
            accu_init: init,
            loop_cond: condition,
            loop_step: step,
            result,
        };
        let fold = self.node(Expr::Comprehension(Box::new(fold)));
        self.bind(RANGE, range, fold)
    }

    fn test(&mut self, name: &str) -> IdedExpr {
        let test = self.args.pop().unwrap_or_default();
        let test = self.with_value(test);
        let result = self.name(RESULT);
        if name == "all" || name == "exists" {
            let all = name == "all";
            let before = self.name(RESULT);
            let operator = if all {
                operators::LOGICAL_AND
            } else {
                operators::LOGICAL_OR
            };
            let step = self.call(operator, vec![before, test]);
            let mut going_on = self.name(RESULT);
            if !all {
                going_on = self.call(operators::LOGICAL_NOT, vec![going_on]);
            }
            let condition = self.call(operators::NOT_STRICTLY_FALSE, vec![going_on]);
            let init = self.boolean(all);
            return self.fold(init, condition, step, result);
        }
        let (before, one) = (self.name(RESULT), self.integer(1));
        let more = self.call(operators::ADD, vec![before, one]);
        let same = self.name(RESULT);
        let step = self.call(operators::CONDITIONAL, vec![test, more, same]);
        let one = self.integer(1);
        let result = self.call(operators::EQUALS, vec![result, one]);
        let (init, condition) = (self.integer(0), self.boolean(true));
        self.fold(init, condition, step, result)
    }

    fn transform(&mut self, of: Of) -> IdedExpr {
        let mut item = self.args.pop().unwrap_or_default();
        let filter = self.args.pop();
        if matches!(of, Of::Map) {
            let index = self.index.clone();
            let key = self.name(&index);
            let pair = vec![self.call("dyn", vec![key]), self.call("dyn", vec![item])];
            item = self.list(pair);
        }
        let item = self.with_value(item);
        let (before, items) = (self.name(RESULT), self.list(vec![item]));
        let mut step = self.call(operators::ADD, vec![before, items]);
        if let Some(filter) = filter {
            let filter = self.with_value(filter);
            let same = self.name(RESULT);
            step = self.call(operators::CONDITIONAL, vec![filter, step, same]);
        }
        let (init, condition, result) = (self.list(Vec::new()), self.boolean(true), self.name(RESULT));
        let list = self.fold(init, condition, step, result);
        match of {
            Of::List => list,
            Of::Map => self.call("@entries", vec![list]),
            Of::Entry => self.call("@merge", vec![list]),
        }
    }
}
