//! `ready_within`: a wait that takes too long is shown as failed, and goes on.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{Running, ending::End};
use crate::{
    operator::Operator,
    status::{NOT_READY_IN_TIME, Phase, ResourceStatus},
    store::ObjectEntry,
};

/// A wait of a resource, as long as it lasts. It counts from when the resource's line began to say so: that is stored, so a restart of
/// the operator does not begin anew.
#[derive(Debug)]
pub(super) struct Waited {
    /// How long it had lasted when this process saw it first.
    before: Duration,
    since: Instant,
    /// An Event has said that it takes too long.
    told: bool,
}

impl Waited {
    /// From the line that is shown, if that says that the resource waits.
    fn of(shown: Option<&ResourceStatus>, now: Timestamp) -> Self {
        let shown = shown.filter(|line| line.is_wait());
        let began = shown.and_then(|line| line.since.parse::<Timestamp>().ok());
        let before = began.and_then(|began| Duration::try_from(now.duration_since(began)).ok());
        Self {
            before: before.unwrap_or_default(),
            since: Instant::now(),
            told: shown.is_some_and(|line| line.reason == NOT_READY_IN_TIME),
        }
    }

    fn lasts(&self) -> Duration {
        self.before + self.since.elapsed()
    }
}

/// Shows the waits of a pass that take longer than their resources say, and notes when the next one will.
pub(super) fn judge<O: Operator>(running: &Running<O>, entry: &Arc<ObjectEntry<O>>, end: &mut End) {
    for node in &running.nodes {
        let meta = node.meta();
        let Some(limit) = meta.settings.ready_within else {
            continue;
        };
        let Some(line) = end.lines.iter_mut().find(|line| line.name == meta.name) else {
            continue;
        };
        if line.phase != Phase::Waiting.as_str() {
            running.remember(&entry.uid, |memory| memory.waits.remove(meta.name));
            continue;
        }
        let latest = running.objects.get(&entry.uid);
        let shown = latest.as_ref().unwrap_or(entry).shown.line(meta.name);
        let (lasts, news) = running.remember(&entry.uid, |memory| {
            let waits = memory.waits.entry(meta.name);
            let waited = waits.or_insert_with(|| Waited::of(shown, Timestamp::now()));
            let lasts = waited.lasts();
            (
                lasts,
                lasts >= limit && !std::mem::replace(&mut waited.told, lasts >= limit),
            )
        });
        let left = limit.saturating_sub(lasts);
        if !left.is_zero() {
            end.due = Some(end.due.map_or(left, |due| due.min(left)));
            continue;
        }
        Phase::Failed.as_str().clone_into(&mut line.phase);
        NOT_READY_IN_TIME.clone_into(&mut line.reason);
        line.message = format!("not ready within {}: {}", words(limit), line.message);
        let message = format!("{}: {}", line.name, line.message);
        if news {
            let events = running.object_events(entry);
            events.warning(NOT_READY_IN_TIME, message.clone());
        }
        end.overdue.push(message);
    }
}

/// A time as it is written in the attribute: `1h 30m`.
fn words(time: Duration) -> String {
    SignedDuration::try_from(time).map_or_else(|_| format!("{time:?}"), |time| format!("{time:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(phase: Phase, reason: &str) -> ResourceStatus {
        ResourceStatus {
            phase: phase.as_str().into(),
            reason: reason.into(),
            since: "1970-01-01T00:01:00Z".into(),
            ..ResourceStatus::default()
        }
    }

    #[test]
    fn times_are_told_as_they_are_written() {
        assert_eq!(words(Duration::from_mins(10)), "10m");
        assert_eq!(words(Duration::from_mins(90)), "1h 30m");
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_counts_from_what_is_stored() {
        let now = Timestamp::from_second(100).unwrap();
        let lasts = |line: Option<&ResourceStatus>| Waited::of(line, now).lasts();
        assert_eq!(lasts(Some(&line(Phase::Waiting, ""))), Duration::from_secs(40));
        assert_eq!(
            lasts(Some(&line(Phase::Failed, NOT_READY_IN_TIME))),
            Duration::from_secs(40)
        );
        assert_eq!(lasts(Some(&line(Phase::Failed, "Quota"))), Duration::ZERO);
        assert_eq!(lasts(Some(&line(Phase::Ready, ""))), Duration::ZERO);
        assert_eq!(lasts(None), Duration::ZERO);
        // A clock that was put back is no reason to fail.
        let early = Waited::of(Some(&line(Phase::Waiting, "")), Timestamp::from_second(50).unwrap());
        assert_eq!(early.lasts(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_told_before_a_restart_is_not_told_again() {
        let now = Timestamp::from_second(100).unwrap();
        assert!(Waited::of(Some(&line(Phase::Failed, NOT_READY_IN_TIME)), now).told);
        assert!(!Waited::of(Some(&line(Phase::Waiting, "")), now).told);
    }
}
