//! Completion indexes as a Job's status writes them: `0-2,5`.

use std::collections::BTreeSet;

/// A set of indexes. It is no larger than the number of Pods that there can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::control::workloads) struct Indexes(Vec<(i64, i64)>);

impl Indexes {
    /// Reads indexes below `completions`; what cannot be read is left out.
    pub(in crate::control::workloads) fn parse(text: &str, completions: i64) -> Self {
        let interval = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let (first, last) = (
                first.parse::<i64>().ok()?,
                last.parse::<i64>().ok()?.min(completions - 1),
            );
            (first >= 0 && first <= last).then_some((first, last))
        };
        let mut indexes = Self::default();
        text.split(',')
            .filter_map(interval)
            .for_each(|interval| indexes.add(interval));
        indexes
    }

    /// Adds single indexes.
    pub(in crate::control::workloads) fn insert_all(&mut self, indexes: impl IntoIterator<Item = i64>) {
        indexes
            .into_iter()
            .collect::<BTreeSet<i64>>()
            .into_iter()
            .for_each(|index| self.add((index, index)));
    }

    /// All that are in either.
    pub(in crate::control::workloads) fn merged(&self, other: &Self) -> Self {
        let mut merged = self.clone();
        other.0.iter().for_each(|interval| merged.add(*interval));
        merged
    }

    fn add(&mut self, (first, last): (i64, i64)) {
        let (mut first, mut last) = (first, last);
        let mut rest = Vec::with_capacity(self.0.len() + 1);
        for (from, to) in self.0.drain(..) {
            // Neighbours become one.
            if to.saturating_add(1) < first || last.saturating_add(1) < from {
                rest.push((from, to));
            } else {
                (first, last) = (first.min(from), last.max(to));
            }
        }
        rest.push((first, last));
        rest.sort_unstable();
        self.0 = rest;
    }

    pub(in crate::control::workloads) fn has(&self, index: i64) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&index))
    }

    pub(in crate::control::workloads) fn total(&self) -> i64 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// The first indexes below `completions` that are not in the set.
    pub(in crate::control::workloads) fn missing(&self, count: usize, completions: i64) -> Vec<i64> {
        let mut missing = Vec::new();
        let mut next = 0;
        for (first, last) in self.0.iter().copied().chain([(completions, completions)]) {
            let room = count - missing.len();
            missing.extend((next..first.min(completions)).take(room));
            next = last + 1;
        }
        missing
    }

    /// `0-2,5`; two neighbours are written `3,4`.
    pub(in crate::control::workloads) fn written(&self) -> String {
        let interval = |(first, last): &(i64, i64)| match last - first {
            0 => first.to_string(),
            1 => format!("{first},{last}"),
            _ => format!("{first}-{last}"),
        };
        self.0.iter().map(interval).collect::<Vec<_>>().join(",")
    }
}
