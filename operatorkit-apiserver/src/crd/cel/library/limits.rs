//! What keeps functions within the budget of a rule.

use cel::{
    DeclarationError, Env, ExecutionError,
    common::{
        ast::{CallExpr, EntryExpr, Expr, IdedExpr, operators},
        types::{CelBytes, CelList, CelMap, CelOptional, CelString, DYN_TYPE},
        value::{CowVal, Val},
    },
};

use super::super::budget;

/// The function that counts the items of a range.
const COUNT: &str = "@count";
/// The function that weighs a value that was made.
const WEIGH: &str = "@weigh";
/// The functions that look whether a string can be made before it is.
const REPLACEABLE: &str = "@replaceable";
const JOINABLE: &str = "@joinable";
const FORMATTABLE: &str = "@formattable";

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    env.add_overload(COUNT, "@count", vec![DYN_TYPE], budget::count)?;
    env.add_overload(WEIGH, "@weigh", vec![DYN_TYPE], weigh)?;
    cel::add_overload!(env, fn replaceable: (CelString, CelString, CelString) -> Result<CelString>, name = REPLACEABLE)?;
    env.add_overload(JOINABLE, "@joinable", vec![DYN_TYPE, DYN_TYPE], joinable)?;
    cel::add_overload!(env, fn formattable: (CelString) -> Result<CelString>, name = FORMATTABLE)
}

/// An expression that counts what it does: the items that comprehensions go through, and the values that are made.
pub(in super::super) fn bounded(mut expression: IdedExpr) -> IdedExpr {
    let made = match &mut expression.expr {
        Expr::Call(call) => bound_call(call),
        Expr::Comprehension(it) => {
            let range = bounded(std::mem::take(&mut it.iter_range));
            it.iter_range = wrapped(COUNT, range);
            for part in [&mut it.accu_init, &mut it.loop_step, &mut it.result] {
                *part = bounded(std::mem::take(part));
            }
            false
        }
        Expr::List(list) => {
            let elements = std::mem::take(&mut list.elements).into_iter();
            list.elements = elements.map(|it| weighed(bounded(it))).collect();
            false
        }
        Expr::Map(map) => {
            for entry in &mut map.entries {
                if let EntryExpr::MapEntry(it) = &mut entry.expr {
                    it.key = bounded(std::mem::take(&mut it.key));
                    it.value = weighed(bounded(std::mem::take(&mut it.value)));
                }
            }
            false
        }
        Expr::Select(select) => {
            *select.operand = bounded(std::mem::take(&mut *select.operand));
            false
        }
        _ => false,
    };
    // What `map` and `filter` append is recognised by its form, and its items are weighed already.
    let appends = matches!(&expression.expr, Expr::Call(it) if it.func_name == operators::ADD
        && matches!(it.args.first().map(|it| &it.expr), Some(Expr::Ident(name)) if name == "@result"));
    if made && !appends {
        weighed(expression)
    } else {
        expression
    }
}

/// Bounds the parts of a call, and says whether it makes a value that may be large.
fn bound_call(call: &mut CallExpr) -> bool {
    if let Some(target) = call.target.take() {
        call.target = Some(Box::new(bounded(*target)));
    }
    call.args = std::mem::take(&mut call.args).into_iter().map(bounded).collect();
    if call.func_name == "matches" {
        call.func_name = "@matches".into();
    }
    let check = match (call.func_name.as_str(), call.args.len()) {
        ("replace", 2..) => Some((REPLACEABLE, 2)),
        ("join", 1) => Some((JOINABLE, 1)),
        ("format", 1) => Some((FORMATTABLE, 0)),
        _ => None,
    };
    if let Some((name, arguments)) = check {
        call.target = call.target.take().map(|target| {
            let mut args = vec![*target];
            args.extend(call.args.iter().take(arguments).cloned());
            Box::new(called(name, args))
        });
    }
    matches!(
        call.func_name.as_str(),
        operators::ADD | "replace" | "join" | "format" | "split" | "findAll" | "lists.range" | "flatten" | "range"
    )
}

fn weighed(expression: IdedExpr) -> IdedExpr {
    match expression.expr {
        Expr::Literal(_) => expression,
        _ => wrapped(WEIGH, expression),
    }
}

fn wrapped(function: &str, argument: IdedExpr) -> IdedExpr {
    called(function, vec![argument])
}

fn called(function: &str, args: Vec<IdedExpr>) -> IdedExpr {
    IdedExpr {
        id: args.first().map_or(0, |it| it.id),
        expr: Expr::Call(CallExpr {
            func_name: function.into(),
            target: None,
            args,
        }),
    }
}

fn weigh<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let value = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    budget::make(weight(value.as_ref()))?;
    Ok(value)
}

/// About how many bytes a value takes.
fn weight(value: &dyn Val) -> usize {
    if let Some(text) = value.downcast_ref::<CelString<'_>>() {
        return 32 + text.inner().len();
    }
    if let Some(bytes) = value.downcast_ref::<CelBytes<'_>>() {
        return 32 + bytes.inner().len();
    }
    if let Some(list) = value.downcast_ref::<CelList<'_>>() {
        return list
            .inner()
            .iter()
            .map(|it| weight(it.as_ref()))
            .fold(32, usize::saturating_add);
    }
    if let Some(map) = value.downcast_ref::<CelMap<'_>>() {
        return map
            .inner()
            .values()
            .map(|it| 64 + weight(it.as_ref()))
            .fold(32, usize::saturating_add);
    }
    match value.downcast_ref::<CelOptional<'_>>().and_then(CelOptional::option) {
        Some(inner) => 32 + weight(inner),
        None => 32,
    }
}

fn replaceable(
    text: &CelString<'_>,
    from: &CelString<'_>,
    to: &CelString<'_>,
) -> Result<CelString<'static>, ExecutionError> {
    let text = text.inner();
    let times = if from.inner().is_empty() {
        text.len() + 1
    } else {
        text.matches(from.inner()).count()
    };
    budget::make(text.len().saturating_add(times.saturating_mul(to.inner().len())))?;
    Ok(CelString::from(text.to_owned()))
}

fn joinable<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let separator = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let list = args.pop().ok_or_else(ExecutionError::missing_argument_or_target)?;
    let items = list.downcast_ref::<CelList<'_>>().map_or(0, |it| it.inner().len());
    budget::make(weight(list.as_ref()).saturating_add(items.saturating_mul(weight(separator.as_ref()))))?;
    Ok(list)
}

/// A precision of more than three digits would make a string of any length.
fn formattable(format: &CelString<'_>) -> Result<CelString<'static>, ExecutionError> {
    let precise = |it: &str| it.chars().take_while(char::is_ascii_digit).count() > 3;
    if format.inner().split("%.").skip(1).any(precise) {
        return Err(super::wrong(
            "format",
            "could not parse formatting clause: precision is too large",
        ));
    }
    Ok(CelString::from(format.inner().to_owned()))
}
