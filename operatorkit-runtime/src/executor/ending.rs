//! What a pass came to: how its resources are, and what brings the next one.

use std::{collections::BTreeSet, time::Duration};

use super::drive::{Ends, NodeEnd};
use crate::{
    error::Error,
    flow::{Flow, Wait},
    judgement::{Judgement, bounded, causes, message},
    layer::Verb,
    metrics::Came,
    plan::Order,
    progress::Step,
    status::{NOT_READY_IN_TIME, Phase, ResourceStatus, Verdict},
};

/// What a pass came to.
#[derive(Debug, Default)]
pub(crate) struct End {
    /// How each resource of the graph is.
    pub(super) lines: Vec<ResourceStatus>,
    pub(super) problems: Vec<Problem>,
    /// What the pass waits for, with the resource.
    pub(super) waits: Vec<(Option<String>, Wait)>,
    /// A resource was left out of this pass.
    pub(super) skipped: bool,
    /// Resources that were left out because another gave no output, and which.
    pub(super) unread: Vec<(String, &'static str)>,
    /// A resource stopped this pass.
    pub(super) cancelled: Option<String>,
    /// Why resources want the finalizer kept.
    pub(super) kept: Vec<String>,
    /// Waits that take longer than their resources say, with the resource. They are no errors: nothing is retried for them.
    pub(super) overdue: Vec<String>,
    /// When the next wait takes too long.
    pub(super) due: Option<Duration>,
    /// When to look again for what sends no event and holds nothing up.
    pub(super) look_again: Option<Duration>,
}

/// An error of a pass, as far as a decision or a person needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// `None`: the pass as a whole.
    pub(super) resource: Option<String>,
    /// The operation that failed; `None`: none of the resource's, or not known yet.
    pub(super) operation: Option<Verb>,
    pub(super) reason: String,
    pub(super) message: String,
    pub(super) causes: Vec<String>,
    pub(super) permanent: bool,
    pub(super) retry_after: Option<Duration>,
    /// Not an error of anybody: a namespace that is going, say.
    pub(super) quiet: bool,
}

impl Problem {
    pub(super) fn of(resource: Option<&str>, err: &Error) -> Self {
        let judgement = Judgement::of(err);
        Self {
            resource: resource.map(str::to_owned),
            operation: None,
            reason: judgement.reason.into_owned(),
            message: message(err),
            causes: causes(err),
            permanent: judgement.permanent,
            retry_after: judgement.retry_after,
            quiet: judgement.quiet,
        }
    }
}

/// What there is to tell of a node that begins, or has ended so.
pub(super) fn step(name: &str, end: Option<&NodeEnd>, done: Phase, waiting: Phase) -> Step {
    match end {
        None => Step::Begins(name.to_owned()),
        Some(end) => Step::Is(ResourceStatus {
            name: name.to_owned(),
            ..End::default().add(name, end, done, waiting)
        }),
    }
}

impl End {
    /// A pass that came to nothing but an error.
    pub(super) fn failed(err: &Error) -> Self {
        Self {
            problems: vec![Problem::of(None, err)],
            ..Self::default()
        }
    }

    /// A pass that came to nothing but a wait.
    pub(super) fn waiting(wait: Wait) -> Self {
        Self {
            waits: vec![(None, wait)],
            ..Self::default()
        }
    }

    /// What the nodes of a pass came to, in one direction.
    pub(super) fn of(order: &Order, ends: &Ends, done: Phase, waiting: Phase) -> Self {
        let mut all = Self::default();
        for (index, end) in ends.iter().enumerate() {
            let name = order.name(index);
            let line = all.add(name, end, done, waiting);
            let waiting_on = match end {
                NodeEnd::Held(on) => on.iter().map(|&on| order.name(on).to_owned()).collect(),
                _ => Vec::new(),
            };
            all.lines.push(ResourceStatus {
                name: name.to_owned(),
                waiting_on,
                ..line
            });
        }
        all
    }

    fn add(&mut self, name: &str, end: &NodeEnd, done: Phase, waiting: Phase) -> ResourceStatus {
        let line = |phase: Phase, reason: &str, message: &str| ResourceStatus {
            phase: phase.as_str().to_owned(),
            reason: reason.to_owned(),
            message: message.to_owned(),
            ..ResourceStatus::default()
        };
        match end {
            NodeEnd::Ran(Ok(Flow::Ready(()))) => line(done, "", ""),
            NodeEnd::Ran(Ok(Flow::Wait(wait))) => {
                self.waits.push((Some(name.to_owned()), wait.clone()));
                line(waiting, &wait.reason, &wait.message)
            }
            NodeEnd::Ran(Ok(Flow::Skip(why))) => {
                self.skipped = true;
                line(Phase::Skipped, "Skipped", why)
            }
            NodeEnd::Unread(other) => {
                self.unread.push((name.to_owned(), other));
                line(
                    Phase::Skipped,
                    "Skipped",
                    &format!("`{other}` gave no output in this pass"),
                )
            }
            NodeEnd::Ran(Ok(Flow::Cancel(why))) => {
                self.cancelled = Some(format!("{name}: {why}"));
                line(Phase::Cancelled, "Cancelled", why)
            }
            NodeEnd::Ran(Err(err)) => {
                let problem = Problem::of(Some(name), err);
                let line = line(Phase::Failed, &problem.reason, &problem.message);
                self.problems.push(problem);
                line
            }
            NodeEnd::Held(_) => line(Phase::Pending, "", ""),
            NodeEnd::Stopped => line(Phase::Pending, "Cancelled", ""),
        }
    }

    /// Everything resolved: no error, nothing that has not started, nothing left out; those apart that are left out because what
    /// they read is not wanted.
    pub(super) fn is_resolved(&self, unwanted: &BTreeSet<&str>) -> bool {
        let started = |line: &ResourceStatus| line.phase != Phase::Pending.as_str();
        let mut excused = unwanted.clone();
        // In the order of the graph's chains, which are no longer than there are readers.
        for _ in &self.unread {
            excused.extend(
                self.unread
                    .iter()
                    .filter(|(_, other)| excused.contains(other))
                    .map(|(name, _)| name.as_str())
                    .collect::<Vec<_>>(),
            );
        }
        let excused = self.unread.iter().all(|(name, _)| excused.contains(name.as_str()));
        self.problems.is_empty()
            && !self.skipped
            && excused
            && self.cancelled.is_none()
            && self.lines.iter().all(started)
    }

    /// Nothing failed, waits or was stopped.
    pub(super) fn is_finished(&self) -> bool {
        self.problems.is_empty() && self.waits.is_empty() && self.cancelled.is_none() && self.kept.is_empty()
    }

    /// What the pass came to, in a word.
    pub(super) fn came(&self) -> Came {
        if self.problems.iter().any(|problem| !problem.quiet) {
            Came::Error
        } else if self.cancelled.is_some() {
            Came::Cancelled
        } else if self.is_finished() {
            Came::Success
        } else {
            Came::Waiting
        }
    }

    /// Adds what another part of the pass came to.
    pub(super) fn extend(&mut self, more: Self) {
        self.problems.extend(more.problems);
        self.waits.extend(more.waits);
        self.skipped |= more.skipped;
        self.unread.extend(more.unread);
        self.cancelled = self.cancelled.take().or(more.cancelled);
    }

    /// What holds the pass up, for a condition: errors outweigh a stop, a stop outweighs waits; those that take
    /// too long go before the others. `None`: nothing does.
    pub(super) fn trouble(&self) -> Option<Verdict> {
        let join = |parts: Vec<String>| bounded(parts.join("; "));
        let named = |resource: &Option<String>, message: &str| match resource {
            Some(resource) => format!("{resource}: {message}"),
            None => message.to_owned(),
        };
        if let Some(first) = self.problems.first() {
            let all = self
                .problems
                .iter()
                .map(|problem| named(&problem.resource, &problem.message));
            return Some(Verdict::new(false, first.reason.clone(), join(all.collect())));
        }
        if let Some(why) = &self.cancelled {
            return Some(Verdict::new(false, "Cancelled", bounded(why.clone())));
        }
        if !self.overdue.is_empty() {
            return Some(Verdict::new(false, NOT_READY_IN_TIME, join(self.overdue.clone())));
        }
        if let Some(kept) = self.kept.first() {
            return Some(Verdict::new(false, "FinalizerKept", bounded(kept.clone())));
        }
        let (_, first) = self.waits.first()?;
        let all = self.waits.iter().map(|(resource, wait)| named(resource, &wait.message));
        Some(Verdict::new(false, first.reason.clone(), join(all.collect())))
    }

    /// The earliest time that a wait named, or takes too long.
    pub(super) fn again(&self) -> Option<Duration> {
        let named = self.waits.iter().filter_map(|(_, wait)| wait.again);
        named.chain(self.due).chain(self.look_again).min()
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;
    use crate::error::ErrorExt as _;

    #[test]
    fn errors_outweigh_waits_and_name_their_resources() {
        let end = End {
            problems: vec![
                Problem::of(Some("web"), &anyhow!("no").reason("Quota")),
                Problem::of(Some("db"), &anyhow!("down")),
            ],
            waits: vec![(Some("net".into()), Wait::new("soon"))],
            ..End::default()
        };
        assert_eq!(end.trouble(), Some(Verdict::new(false, "Quota", "web: no; db: down")));
        assert!(!end.is_finished() && !end.is_resolved(&BTreeSet::new()));
    }

    #[test]
    fn the_earliest_time_counts() {
        let wait = |seconds| Wait::new("x").with_again(Duration::from_secs(seconds));
        let end = End {
            waits: vec![(None, wait(5)), (None, Wait::new("y")), (None, wait(3))],
            ..End::default()
        };
        assert_eq!(end.again(), Some(Duration::from_secs(3)));
        assert!(end.is_resolved(&BTreeSet::new()));
    }

    #[test]
    fn a_reader_of_what_is_not_wanted_is_resolved_and_one_of_what_was_skipped_is_not() {
        let end = End {
            unread: vec![("b".into(), "a"), ("c".into(), "b")],
            ..End::default()
        };
        assert!(end.is_resolved(&["a"].into()));
        assert!(!end.is_resolved(&BTreeSet::new()));
    }

    /// A pass over resources that all answer this, and its kept finalizers.
    fn answered(times: usize, flow: impl Fn() -> Flow<()>) -> End {
        let order = Order::stored(["a", "b", "c"][..times].iter().map(|name| (*name, &[][..])));
        let ends: Ends = (0..times).map(|_| NodeEnd::Ran(Ok(flow()))).collect();
        End::of(&order, &ends, Phase::Ready, Phase::Waiting)
    }

    #[test]
    fn a_mark_counts_from_the_first_time_and_no_more_for_being_set_again() {
        for times in [0, 1, 3] {
            let cancelled = answered(times, || Flow::cancel("stop"));
            assert_eq!(cancelled.is_finished(), times == 0);
            assert_eq!(
                cancelled.trouble().is_some_and(|it| it.reason == "Cancelled"),
                times > 0
            );
            let skipped = answered(times, || Flow::skip("not today"));
            assert_eq!((skipped.skipped, skipped.is_finished()), (times > 0, true));
            assert_eq!(skipped.is_resolved(&BTreeSet::new()), times == 0);
            let kept = End {
                kept: vec!["look".to_owned(); times],
                ..End::default()
            };
            assert_eq!(kept.is_finished(), times == 0);
            let said = kept.trouble().map(|kept| (kept.reason, kept.message));
            assert_eq!(
                said,
                (times > 0).then(|| ("FinalizerKept".to_owned(), "look".to_owned()))
            );
        }
    }
}
