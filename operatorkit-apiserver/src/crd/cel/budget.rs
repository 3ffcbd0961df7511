//! How much a rule may do. The real server counts the cost of each call; here the items that comprehensions go
//! through are counted, and the bytes that functions make.

use std::cell::Cell;

use cel::{ExecutionError, common::value::CowVal};

use super::stack;

/// What one expression may do.
const PER_RULE: u64 = 200_000;

/// What all rules of one object may do.
pub(super) const PER_OBJECT: u64 = 2_000_000;

/// How many bytes one value may have.
pub(super) const LARGEST: usize = 3 << 20;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(0) };
    static SPENT: Cell<bool> = const { Cell::new(false) };
}

/// What is said when a rule does too much.
const EXCEEDED: &str = "operation cancelled: actual cost limit exceeded";

/// Runs an expression within what is left, and takes off what it did. `shallow`: whether it may run on this thread.
///
/// # Errors
///
/// It did too much.
pub(super) fn within<T: Send>(
    left: &mut u64,
    shallow: bool,
    run: impl FnOnce() -> T + Send,
) -> Result<T, &'static str> {
    let allowed = PER_RULE.min(*left);
    let counted = move || {
        LEFT.set(allowed);
        SPENT.set(false);
        let result = run();
        (result, LEFT.get(), SPENT.get())
    };
    let (result, rest, spent) = if shallow {
        counted()
    } else {
        stack::with_room(counted).map_err(|()| EXCEEDED)?
    };
    *left -= allowed - rest;
    if spent { Err(EXCEEDED) } else { Ok(result) }
}

/// Takes off some work.
pub(super) fn spend(amount: u64) -> Result<(), ExecutionError> {
    let left = LEFT.get();
    if amount > left {
        LEFT.set(0);
        SPENT.set(true);
        return Err(ExecutionError::InternalError(EXCEEDED.into()));
    }
    LEFT.set(left - amount);
    Ok(())
}

/// Counts the items of a range, and hands it on.
pub(super) fn count<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Result<CowVal<'b, 'v>, ExecutionError> {
    let Some(range) = args.pop() else {
        return Err(ExecutionError::missing_argument_or_target());
    };
    let mut size = 1;
    if let Some(items) = range.as_iterable() {
        let mut items = items.iter();
        while items.next().is_some() {
            size += 1;
        }
    }
    spend(size)?;
    Ok(range)
}

/// Refuses to make a value of so many bytes, or counts it.
pub(super) fn make(bytes: usize) -> Result<(), ExecutionError> {
    if bytes > LARGEST {
        LEFT.set(0);
        SPENT.set(true);
        return Err(ExecutionError::InternalError(EXCEEDED.into()));
    }
    spend(1 + bytes as u64 / 64)
}
