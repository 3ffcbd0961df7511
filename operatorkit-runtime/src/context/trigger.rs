//! Why a pass runs.

use std::fmt;

/// One reason for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Trigger {
    /// The object appeared or changed.
    ObjectChanged = 1,
    /// A child appeared, changed or went.
    ChildChanged = 2,
    /// The resync period is over.
    Resync = 4,
    /// The backoff after an error is over.
    Retry = 8,
    /// The time that a resource named when it said `Wait` is over.
    Waited = 16,
    /// A watch that the pass has to rely on is filled, or its kind is served now.
    WatchReady = 32,
    /// Something that a resource has read with [`Cx::read`](super::Cx::read) or one of its like appeared, changed or went.
    ReadChanged = 64,
}

const ALL: [(Trigger, &str); 7] = [
    (Trigger::ObjectChanged, "ObjectChanged"),
    (Trigger::ChildChanged, "ChildChanged"),
    (Trigger::Resync, "Resync"),
    (Trigger::Retry, "Retry"),
    (Trigger::Waited, "Waited"),
    (Trigger::WatchReady, "WatchReady"),
    (Trigger::ReadChanged, "ReadChanged"),
];

/// All reasons that came together before a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triggers(u8);

impl Triggers {
    /// Whether this is among the reasons.
    pub fn contains(self, trigger: Trigger) -> bool {
        self.0 & trigger as u8 != 0
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.0 |= more.0;
    }
}

impl From<Trigger> for Triggers {
    fn from(trigger: Trigger) -> Self {
        Self(trigger as u8)
    }
}

impl fmt::Display for Triggers {
    /// The reasons, joined by `+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = ALL
            .iter()
            .filter(|(trigger, _)| self.contains(*trigger))
            .map(|(_, name)| *name);
        f.write_str(names.next().unwrap_or("None"))?;
        names.try_for_each(|name| write!(f, "+{name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_come_together() {
        let mut triggers = Triggers::from(Trigger::Retry);
        triggers.add(Trigger::ObjectChanged.into());
        assert!(triggers.contains(Trigger::Retry) && !triggers.contains(Trigger::Resync));
        assert_eq!(triggers.to_string(), "ObjectChanged+Retry");
        assert_eq!(Triggers::default().to_string(), "None");
    }
}
