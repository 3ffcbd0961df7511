//! One pass over one object, whichever it is, and what comes after it.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tracing::{Instrument as _, info_span};

use super::{
    Running,
    backwards::backwards,
    ending::End,
    forwards::forwards,
    pause,
    report::{Direction, SHOWN_AFTER, report},
    turns,
};
use crate::{
    context::{Trigger, Triggers},
    metrics::Came,
    operator::Operator,
    queue::RetryHint,
    store::ObjectEntry,
};

/// How often an object that left the operator's selector with our finalizer on it is read live: no watch shows it.
pub(super) const STRAYED: Duration = Duration::from_secs(10);

/// Runs one pass, and says when the next one is due if no event comes first.
pub(crate) async fn execute<O: Operator>(
    running: &Arc<Running<O>>,
    uid: &Arc<str>,
    triggers: Triggers,
) -> Option<(Duration, Trigger)> {
    let Some(entry) = running.objects.get(uid) else {
        let again = running.orphans(uid).await;
        if again.is_some() {
            return again;
        }
        running.forget(uid);
        // It may have come back meanwhile, and what queued it was forgotten.
        if running.objects.get(uid).is_some() {
            running.queue.add(uid.clone(), Trigger::ObjectChanged);
        }
        return None;
    };
    let span = info_span!(
        "pass",
        controller = %running.names.operator,
        object = entry.name(),
        namespace = entry.namespace(),
        event = if entry.terminating() { "delete" } else { "update" },
        "loop" = %triggers,
        version = %entry.meta.resource_version.as_deref().unwrap_or_default(),
    );
    pass(running, entry, triggers).instrument(span).await
}

async fn pass<O: Operator>(
    running: &Arc<Running<O>>,
    entry: Arc<ObjectEntry<O>>,
    triggers: Triggers,
) -> Option<(Duration, Trigger)> {
    let entry = if running.remember(&entry.uid, |memory| memory.strayed) {
        running.read_strayed(&entry).await?
    } else {
        entry
    };
    let began = Instant::now();
    let finalizer = entry.has_our_finalizer(&running.names);
    let released = running.remember(&entry.uid, |memory| memory.released);
    if entry.terminating() && (released || !finalizer) {
        return None;
    }
    let (end, used, direction) = if let Some(wait) = pause::holding(&entry) {
        (End::waiting(wait), entry, Direction::Paused)
    } else if entry.terminating() {
        let end = Box::pin(backwards(running, entry.clone(), triggers))
            .await
            .unwrap_or_else(|err| End::failed(&err));
        (end, entry, Direction::Backwards)
    } else {
        match forwards(running, entry.clone(), triggers).await {
            Ok(Some((end, ran_on, status))) => (end, ran_on, Direction::Forwards(status)),
            Ok(None) => {
                running.queue_if_news(&entry);
                return None;
            }
            Err(err) => (End::failed(&err), entry, Direction::Forwards(None)),
        }
    };
    let backwards = matches!(direction, Direction::Backwards);
    let paused = matches!(direction, Direction::Paused);
    let end = report(running, &used, end, direction).await;
    let came = if paused { Came::Paused } else { end.came() };
    running.meter.came(backwards, came, began.elapsed());
    turns::tell(running, &used, &end, backwards, came);
    running.queue_if_news(&used);
    if backwards && end.is_finished() {
        running.undone(&used.uid);
        return None;
    }
    let strayed = running
        .remember(&used.uid, |memory| memory.strayed)
        .then_some((STRAYED, Trigger::Resync));
    if paused {
        // The watch tells when the pause is over; of one that it does not show, only a look does.
        return strayed;
    }
    let due = next(running, &used, &end, backwards);
    Some(strayed.filter(|(after, _)| *after < due.0).unwrap_or(due))
}

/// When the next pass is due, if no event comes first.
fn next<O: Operator>(running: &Running<O>, entry: &ObjectEntry<O>, end: &End, backwards: bool) -> (Duration, Trigger) {
    let waited = end.again().map(|again| (again, Trigger::Waited));
    let unshown = running.remember(&entry.uid, |memory| {
        let shown_in = memory.blocked.map(|since| SHOWN_AFTER.saturating_sub(since.elapsed()));
        shown_in
            .filter(|left| backwards && !left.is_zero())
            .map(|left| (left, Trigger::Waited))
    });
    let due = running.remember(&entry.uid, |memory| {
        if end.problems.is_empty() && end.kept.is_empty() && end.cancelled.is_none() {
            memory.backoff.reset();
            (memory.backoff.jittered(running.resync), Trigger::Resync)
        } else {
            let hint = RetryHint {
                permanent: !end.problems.is_empty() && end.problems.iter().all(|problem| problem.permanent),
                retry_after: end.problems.iter().filter_map(|problem| problem.retry_after).min(),
            };
            (memory.backoff.next(entry.generation(), hint), Trigger::Retry)
        }
    });
    [Some(due), waited, unshown]
        .into_iter()
        .flatten()
        .min_by_key(|(after, _)| *after)
        .unwrap_or(due)
}
