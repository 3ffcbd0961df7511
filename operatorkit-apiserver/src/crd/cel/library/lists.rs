//! Lists and sets: `isSorted`, `sum`, `min`, `max`, `indexOf`, `includes`, `sets.contains`, …

use std::cmp::Ordering;

use cel::{
    DeclarationError, Env, ExecutionError,
    common::{
        types::{CelBool, CelInt, CelList, CelOptional, DYN_TYPE, LIST_TYPE},
        value::{CowVal, Val},
    },
};

use super::{super::budget, wrong};

type Args<'b, 'v> = Vec<CowVal<'b, 'v>>;
type Answer<'b, 'v> = Result<CowVal<'b, 'v>, ExecutionError>;

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    env.add_member_overload("isSorted", "list_is_sorted_bool", LIST_TYPE, vec![], is_sorted)?;
    env.add_member_overload("sum", "list_sum", LIST_TYPE, vec![], sum)?;
    env.add_member_overload("min", "list_min", LIST_TYPE, vec![], min)?;
    env.add_member_overload("max", "list_max", LIST_TYPE, vec![], max)?;
    env.add_member_overload("indexOf", "list_a_index_of_int", LIST_TYPE, vec![DYN_TYPE], index_of)?;
    env.add_member_overload(
        "lastIndexOf",
        "list_a_last_index_of_int",
        LIST_TYPE,
        vec![DYN_TYPE],
        last_index_of,
    )?;
    env.add_member_overload("first", "list_first", LIST_TYPE, vec![], first)?;
    env.add_member_overload("last", "list_last", LIST_TYPE, vec![], last)?;
    let pair = || vec![LIST_TYPE, LIST_TYPE];
    env.add_overload("sets.contains", "list_sets_contains_list", pair(), contains)?;
    env.add_overload("sets.equivalent", "list_sets_equivalent_list", pair(), equivalent)?;
    env.add_overload("sets.intersects", "list_sets_intersects_list", pair(), intersects)
}

fn items<'a, 'v>(args: &'a Args<'_, 'v>, index: usize) -> &'a [Box<dyn Val + 'v>] {
    args.get(index)
        .and_then(|it| it.downcast_ref::<CelList<'v>>())
        .map_or(&[], |it| it.inner())
}

fn answer<'b, 'v>(value: impl Val + 'v) -> Answer<'b, 'v> {
    Ok(CowVal::owned(value))
}

fn compare(one: &dyn Val, other: &dyn Val) -> Result<Ordering, ExecutionError> {
    let comparer = one.as_comparer().ok_or_else(|| wrong("compare", "no such overload"))?;
    comparer.compare(other)
}

fn is_sorted<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    for pair in items(&args, 0).windows(2) {
        if compare(pair[0].as_ref(), pair[1].as_ref())? == Ordering::Greater {
            return answer(CelBool::from(false));
        }
    }
    answer(CelBool::from(true))
}

fn sum<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    let mut items = items(&args, 0).iter();
    let Some(first) = items.next() else {
        return answer(CelInt::from(0));
    };
    let mut sum = first.clone_as_boxed();
    for item in items {
        let adder = sum.as_adder().ok_or_else(|| wrong("sum", "no such overload"))?;
        let next = adder.add(item.as_ref())?.into_owned();
        sum = next;
    }
    Ok(CowVal::Owned(sum))
}

fn min<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    extreme("min", &args, Ordering::Less)
}

fn max<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    extreme("max", &args, Ordering::Greater)
}

fn extreme<'b, 'v>(function: &str, args: &Args<'b, 'v>, better: Ordering) -> Answer<'b, 'v> {
    let mut items = items(args, 0).iter();
    let Some(mut best) = items.next() else {
        return Err(wrong(function, format!("{function} called on empty list")));
    };
    for item in items {
        if compare(item.as_ref(), best.as_ref())? == better {
            best = item;
        }
    }
    Ok(CowVal::Owned(best.clone_as_boxed()))
}

fn position(index: Option<usize>) -> CelInt {
    CelInt::from(index.and_then(|it| i64::try_from(it).ok()).unwrap_or(-1))
}

fn index_of<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    answer(position(
        items(&args, 0).iter().position(|it| it.equals(args[1].as_ref())),
    ))
}

fn last_index_of<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    answer(position(
        items(&args, 0).iter().rposition(|it| it.equals(args[1].as_ref())),
    ))
}

fn first<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    answer(CelOptional::from(items(&args, 0).first().map(|it| it.clone_as_boxed())))
}

fn last<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    answer(CelOptional::from(items(&args, 0).last().map(|it| it.clone_as_boxed())))
}

fn within(args: &Args<'_, '_>, all: usize, of: usize) -> Result<bool, ExecutionError> {
    let (all, of) = (items(args, all), items(args, of));
    budget::spend((all.len() as u64).saturating_mul(of.len() as u64) / 16)?;
    Ok(all.iter().all(|one| of.iter().any(|it| it.equals(one.as_ref()))))
}

fn contains<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    answer(CelBool::from(within(&args, 1, 0)?))
}

fn equivalent<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    answer(CelBool::from(within(&args, 0, 1)? && within(&args, 1, 0)?))
}

fn intersects<'b, 'v>(args: Args<'b, 'v>) -> Answer<'b, 'v> {
    let (one, other) = (items(&args, 0), items(&args, 1));
    budget::spend((one.len() as u64).saturating_mul(other.len() as u64) / 16)?;
    answer(CelBool::from(
        one.iter().any(|one| other.iter().any(|it| it.equals(one.as_ref()))),
    ))
}
