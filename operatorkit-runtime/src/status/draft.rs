//! The status as it should be shown after a pass, compared with the one that is shown.

use jiff::Timestamp;

use super::{Condition, ResourceStatus, Status, Verdict, condition::set};

/// The types of the conditions that are ours; others' are left alone.
const OURS: [&str; 3] = ["Ready", "Paused", "Deleting"];

/// What a pass wants to show.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) generation: Option<i64>,
    pub(crate) ready: Verdict,
    /// `Some`: shown; `None`: shown as `False` if it was shown before.
    pub(crate) paused: Option<Verdict>,
    pub(crate) deleting: Option<Verdict>,
    pub(crate) lines: Vec<ResourceStatus>,
}

/// The part of a status that is written: ours, without what others or the slots hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    #[serde(skip_serializing_if = "Option::is_none")]
    observed_generation: Option<i64>,
    conditions: Vec<Condition>,
    resources: Vec<ResourceStatus>,
}

impl Shown {
    /// What a status shows now of ours.
    pub(crate) fn of<T>(status: Option<&Status<T>>) -> Self {
        let Some(status) = status else {
            return Self::default();
        };
        let ours = |condition: &&Condition| OURS.contains(&condition.type_.as_str());
        Self {
            observed_generation: status.observed_generation,
            conditions: status.conditions.iter().filter(ours).cloned().collect(),
            resources: status.resources.clone(),
        }
    }

    pub(crate) fn generation(&self) -> Option<i64> {
        self.observed_generation
    }

    pub(crate) fn lines(&self) -> Vec<ResourceStatus> {
        self.resources.clone()
    }

    /// The line of a resource.
    pub(crate) fn line(&self, name: &str) -> Option<&ResourceStatus> {
        self.resources.iter().find(|line| line.name == name)
    }

    /// What `Ready` says now.
    pub(crate) fn ready(&self) -> Option<Verdict> {
        let ready = self.condition("Ready")?;
        Some(Verdict::new(
            ready.status == "True",
            ready.reason.clone(),
            ready.message.clone(),
        ))
    }

    /// Whether a condition of ours is `True` now.
    pub(crate) fn is_true(&self, type_: &str) -> bool {
        self.condition(type_)
            .is_some_and(|condition| condition.status == "True")
    }

    /// Whether both show the same, in whichever order: the API server merges these lists by key.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let sorted = |shown: &Self| {
            let mut shown = shown.clone();
            shown.conditions.sort_by(|one, two| one.type_.cmp(&two.type_));
            shown.resources.sort_by(|one, two| one.name.cmp(&two.name));
            shown
        };
        self == other || sorted(self) == sorted(other)
    }

    /// Whether exactly this is shown already, in this order: the usual case, told without making anything.
    pub(crate) fn says(&self, generation: Option<i64>, ready: &Verdict, lines: &[ResourceStatus]) -> bool {
        let [shown] = self.conditions.as_slice() else {
            return false;
        };
        let status = if ready.status { "True" } else { "False" };
        let same_line = |(shown, line): (&ResourceStatus, &ResourceStatus)| {
            shown.name == line.name
                && shown.phase == line.phase
                && shown.reason == line.reason
                && shown.message == line.message
                && shown.waiting_on == line.waiting_on
        };
        self.observed_generation == generation
            && shown.type_ == "Ready"
            && shown.observed_generation == generation
            && shown.status == status
            && shown.reason == ready.reason
            && shown.message == ready.message
            && self.resources.len() == lines.len()
            && self.resources.iter().zip(lines).all(same_line)
    }

    fn condition(&self, type_: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.type_ == type_)
    }
}

impl Draft {
    /// The status to show: times move only with what they are about.
    pub(crate) fn over(self, before: &Shown, now: Timestamp) -> Shown {
        let Self {
            generation,
            ready,
            paused,
            deleting,
            lines,
        } = self;
        let mut conditions = vec![set(before.condition("Ready"), "Ready", ready, generation, now)];
        for (type_, verdict, over) in [("Paused", paused, "NotPaused"), ("Deleting", deleting, "NotDeleting")] {
            let shown = before.condition(type_);
            let verdict = verdict.or_else(|| shown.map(|_| Verdict::new(false, over, "")));
            conditions.extend(verdict.map(|verdict| set(shown, type_, verdict, generation, now)));
        }
        let line_before = |name: &str| before.resources.iter().find(|line| line.name == name);
        let resources = lines.into_iter().map(|line| {
            let before = line_before(&line.name);
            line.since(before, now)
        });
        Shown {
            observed_generation: generation,
            conditions,
            resources: resources.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(ready: bool, phase: &str) -> Draft {
        Draft {
            generation: Some(1),
            ready: Verdict::new(ready, "R", "m"),
            paused: None,
            deleting: None,
            lines: vec![ResourceStatus {
                name: "web".into(),
                phase: phase.into(),
                ..ResourceStatus::default()
            }],
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn the_same_draft_later_shows_the_same() {
        let first = draft(true, "Ready").over(&Shown::default(), at(1));
        assert_eq!(draft(true, "Ready").over(&first, at(100)), first);
    }

    #[test]
    fn what_is_shown_is_told_from_what_is_not() {
        let shown = draft(true, "Ready").over(&Shown::default(), at(1));
        let Draft {
            generation,
            ready,
            lines,
            ..
        } = draft(true, "Ready");
        assert!(shown.says(generation, &ready, &lines));
        assert!(!shown.says(Some(2), &ready, &lines));
        assert!(!shown.says(generation, &ready, &draft(true, "Failed").lines));
        assert!(!shown.says(generation, &draft(false, "Ready").ready, &lines));
        assert!(!shown.says(generation, &ready, &[]));
    }

    #[test]
    fn only_the_time_of_what_changed_moves() {
        let first = draft(false, "Waiting").over(&Shown::default(), at(1));
        let second = draft(false, "Ready").over(&first, at(9));
        assert_eq!(second.conditions, first.conditions);
        assert_eq!(second.resources[0].since, "1970-01-01T00:00:09Z");
    }

    #[test]
    fn a_condition_that_is_over_is_shown_as_false() {
        let paused = Draft {
            paused: Some(Verdict::new(true, "Paused", "")),
            ..draft(false, "")
        };
        let first = paused.over(&Shown::default(), at(1));
        let second = draft(true, "Ready").over(&first, at(2));
        let shown = second.condition("Paused").unwrap();
        assert_eq!((shown.status.as_str(), shown.reason.as_str()), ("False", "NotPaused"));
        assert!(
            draft(true, "Ready")
                .over(&Shown::default(), at(1))
                .condition("Paused")
                .is_none()
        );
    }
}
