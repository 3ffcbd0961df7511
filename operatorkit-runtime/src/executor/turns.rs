//! A line at info for each turn of an object's life: taken on or over, ready, not ready any more, gone. Repeats say nothing.

use super::{Running, ending::End};
use crate::{metrics::Came, operator::Operator, store::ObjectEntry};

/// The finalizer was stored: the object is made, or this operator is new to it.
pub(super) fn taken_on() {
    tracing::info!("taken on");
}

/// What an earlier name or another program has left on the object is ours now.
pub(super) fn taken_over() {
    tracing::info!("taken over from an earlier name, or from another program whose finalizer it had");
}

/// A pass came to its end. `entry` is the object as it was before.
pub(super) fn tell<O: Operator>(running: &Running<O>, entry: &ObjectEntry<O>, end: &End, backwards: bool, came: Came) {
    match (backwards, came) {
        (true, Came::Success) => tracing::info!("deleted"),
        (true, _) | (false, Came::Paused) => {}
        (false, came) => readiness(running, entry, end, came == Came::Success),
    }
}

fn readiness<O: Operator>(running: &Running<O>, entry: &ObjectEntry<O>, end: &End, ready: bool) {
    let (before, preexisting) =
        running.remember(&entry.uid, |memory| (memory.ready.replace(ready), memory.preexisting));
    // After a restart the status still has it; where there is no status, what is ready then is no news.
    let shown = || entry.shown.ready().map(|shown| shown.status);
    let unknown = || (preexisting && !running.own).then_some(true);
    let before = before.or_else(shown).or_else(unknown).unwrap_or(false);
    match (before, ready) {
        (false, true) => tracing::info!("ready"),
        (true, false) => {
            let trouble = end.trouble();
            let (reason, message) = trouble.map(|why| (why.reason, why.message)).unwrap_or_default();
            tracing::info!(reason, "not ready any more: {message}");
        }
        (true, true) | (false, false) => {}
    }
}
