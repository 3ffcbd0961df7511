//! Pods of a `DaemonSet` that are replaced by Pods of the new template, as many at a time as its strategy allows.

use serde_json::Value;

use super::{Controller, place};
use crate::control::workloads::owner::{is_deleted, name};
use crate::control::workloads::share::scaled;
use crate::read::text;

/// The new and the old Pod on a node. `None` if there are several of one kind: they are pruned first.
type Pair<'a> = Option<(Option<&'a Value>, Option<&'a Value>)>;

impl<'a> Controller<'a> {
    pub(super) fn update(&mut self) {
        if text(self.set, "/spec/updateStrategy/type") != "RollingUpdate" {
            return;
        }
        let desired = self
            .nodes
            .iter()
            .filter(|node| place::should_run(self.set, node).0)
            .count();
        let desired = i64::try_from(desired).unwrap_or(i64::MAX);
        let part = |name: &str, up| {
            let value = self.set.pointer(&format!("/spec/updateStrategy/rollingUpdate/{name}"));
            usize::try_from(scaled(value, desired, up)).unwrap_or_default()
        };
        let (surge, unavailable) = (part("maxSurge", true), part("maxUnavailable", true));
        // Neither can be: then one Pod can be missing.
        let unavailable = if surge == 0 { unavailable.max(1) } else { unavailable };
        let pairs: Vec<(&str, Pair)> = self
            .on_node
            .iter()
            .map(|(node, pods)| (*node, self.pair(pods)))
            .collect();
        if surge == 0 {
            self.replace(&pairs, unavailable);
        } else {
            self.surge(&pairs, surge, desired);
        }
    }

    /// Whether there can be two Pods on a node while they are replaced.
    pub(super) fn surges(&self) -> bool {
        text(self.set, "/spec/updateStrategy/type") == "RollingUpdate"
            && scaled(self.set.pointer("/spec/updateStrategy/rollingUpdate/maxSurge"), 1, true) > 0
    }

    fn pair(&self, pods: &[&'a Value]) -> Pair<'a> {
        let alive = pods.iter().copied().filter(|pod| !is_deleted(pod));
        let (new, old): (Vec<&Value>, Vec<&Value>) = alive.partition(|pod| self.is_updated(pod));
        (new.len() <= 1 && old.len() <= 1).then(|| (new.first().copied(), old.first().copied()))
    }

    /// Old Pods are deleted, and made anew by the next look.
    fn replace(&mut self, pairs: &[(&str, Pair<'a>)], most: usize) {
        let mut missing = 0;
        let (mut broken, mut good) = (Vec::new(), Vec::new());
        for (_, pair) in pairs {
            match pair {
                Some((Some(new), None)) => missing += usize::from(!self.is_available(new)),
                Some((None, Some(old))) if !self.is_available(old) => {
                    broken.push(*old);
                    missing += 1;
                }
                Some((None, Some(old))) => good.push(*old),
                _ => missing += 1,
            }
        }
        let room = most.saturating_sub(missing);
        broken
            .into_iter()
            .chain(good.into_iter().take(room))
            .for_each(|pod| self.delete(pod));
    }

    /// New Pods are made beside the old ones, which go when the new ones are available.
    fn surge(&mut self, pairs: &[(&str, Pair<'a>)], most: usize, desired: i64) {
        let (mut surging, mut available) = (0, 0);
        let (mut delete, mut unwanted, mut needed, mut candidates) = (vec![], vec![], vec![], vec![]);
        for (node, pair) in pairs {
            let Some((new, old)) = pair else {
                surging += 1;
                continue;
            };
            available += i64::from(old.or(*new).is_some_and(|pod| self.is_available(pod)));
            match (new, old) {
                (_, None) => {}
                (None, Some(old)) => match (self.is_available(old), self.should_run_on(node)) {
                    (false, false) => delete.push(*old),
                    (false, true) => needed.push(*node),
                    (true, false) => unwanted.push(*old),
                    (true, true) => candidates.push(*node),
                },
                (Some(new), Some(_)) if !self.is_available(new) => surging += 1,
                (Some(_), Some(old)) => delete.push(*old),
            }
        }
        // Where no Pod should be any more it stays until there are enough elsewhere.
        let spare = usize::try_from(available - desired).unwrap_or_default();
        delete.extend(unwanted.into_iter().take(spare));
        let room = most.saturating_sub(surging);
        delete.into_iter().for_each(|pod| self.delete(pod));
        needed
            .into_iter()
            .chain(candidates.into_iter().take(room))
            .for_each(|node| self.create_on(node));
    }

    fn should_run_on(&self, node: &str) -> bool {
        self.nodes
            .iter()
            .any(|of| name(of) == node && place::should_run(self.set, of).0)
    }
}
