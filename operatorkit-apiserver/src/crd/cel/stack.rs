//! Room for recursion. Expressions are read, checked and run by functions that call themselves, and a thread of a
//! server has little room.

use std::thread;

use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr, operators};

/// How much room an expression gets. It is only taken where it is used.
const ROOM: usize = 256 << 20;

/// How deep an expression may be to run on the thread at hand.
pub(super) const SHALLOW: usize = 24;

/// Runs something where there is room for recursion.
///
/// # Errors
///
/// There is no such room, or it panicked.
pub(super) fn with_room<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, ()> {
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("cel".into())
            .stack_size(ROOM)
            .spawn_scoped(scope, run);
        thread.map_err(drop)?.join().map_err(drop)
    })
}

/// How deep an expression is.
pub(super) fn depth(expression: &IdedExpr) -> usize {
    let deepest = |parts: &mut dyn Iterator<Item = &IdedExpr>| parts.map(depth).max().unwrap_or(0);
    1 + match &expression.expr {
        Expr::Call(call) => deepest(&mut call.args.iter().chain(call.target.as_deref())),
        Expr::Comprehension(it) => {
            let parts = [&it.iter_range, &it.accu_init, &it.loop_cond, &it.loop_step, &it.result];
            deepest(&mut parts.into_iter())
        }
        Expr::List(list) => deepest(&mut list.elements.iter()),
        Expr::Map(map) => deepest(&mut map.entries.iter().flat_map(|entry| match &entry.expr {
            EntryExpr::MapEntry(it) => [&it.key, &it.value],
            EntryExpr::StructField(it) => [&it.value, &it.value],
        })),
        Expr::Select(select) => depth(&select.operand),
        _ => 0,
    }
}

/// The expression with its long chains of `&&` and `||` cut in halves: they are as deep as they are long otherwise.
pub(super) fn balanced(mut expression: IdedExpr) -> IdedExpr {
    match &mut expression.expr {
        Expr::Call(call) if is_logical(call) => {
            let name = call.func_name.clone();
            let mut terms = Vec::new();
            flatten(expression, &name, &mut terms);
            let terms = terms.into_iter().map(|(term, id)| (balanced(term), id)).collect();
            return halves(&name, terms);
        }
        Expr::Call(call) => {
            if let Some(target) = call.target.take() {
                call.target = Some(Box::new(balanced(*target)));
            }
            call.args = std::mem::take(&mut call.args).into_iter().map(balanced).collect();
        }
        Expr::Comprehension(it) => {
            for part in [&mut it.iter_range, &mut it.accu_init, &mut it.loop_step, &mut it.result] {
                *part = balanced(std::mem::take(part));
            }
        }
        Expr::List(list) => {
            list.elements = std::mem::take(&mut list.elements).into_iter().map(balanced).collect();
        }
        _ => {}
    }
    expression
}

fn is_logical(call: &CallExpr) -> bool {
    matches!(call.func_name.as_str(), operators::LOGICAL_AND | operators::LOGICAL_OR) && call.args.len() == 2
}

/// The terms of a chain, in order, each with the place of the operator before it.
fn flatten(expression: IdedExpr, name: &str, terms: &mut Vec<(IdedExpr, u64)>) {
    // A chain leans to one side, so a list of what is left is short.
    let mut left = vec![(expression, 0)];
    while let Some((mut expression, operator)) = left.pop() {
        let id = expression.id;
        match &mut expression.expr {
            Expr::Call(call) if call.func_name == name && call.args.len() == 2 => {
                let (other, one) = (call.args.pop().unwrap_or_default(), call.args.pop().unwrap_or_default());
                left.push((other, id));
                left.push((one, operator));
            }
            _ => terms.push((expression, operator)),
        }
    }
}

fn halves(name: &str, mut terms: Vec<(IdedExpr, u64)>) -> IdedExpr {
    if terms.len() < 2 {
        return terms.pop().unwrap_or_default().0;
    }
    let rest = terms.split_off(terms.len() / 2);
    let id = rest.first().map_or(0, |it| it.1);
    IdedExpr {
        id,
        expr: Expr::Call(CallExpr {
            func_name: name.into(),
            target: None,
            args: vec![halves(name, terms), halves(name, rest)],
        }),
    }
}
