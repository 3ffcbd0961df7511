//! Which Pods are deleted to be made anew of the set's new template: the last first, as many as may be missing.

use serde_json::Value;

use super::Controller;
use super::identity::pod_revision;
use crate::control::workloads::owner::{is_deleted, name};
use crate::control::workloads::share::scaled;
use crate::read::integer;

impl<'a> Controller<'a> {
    pub(super) fn replace(&mut self, replicas: &[Option<&'a Value>]) {
        // A Pod that is only made now is missing, and has the right revision.
        let made = replicas.iter().filter(|pod| pod.is_none()).count();
        let there: Vec<&Value> = replicas.iter().flatten().copied().collect();
        let missing = there.iter().filter(|pod| self.is_unavailable(pod)).count() + made;
        let partition = usize::try_from(integer(self.set, "/spec/updateStrategy/rollingUpdate/partition")).unwrap_or(0);
        let mut room = self.max_unavailable().saturating_sub(missing);
        let old: Vec<&Value> = replicas
            .iter()
            .skip(partition)
            .rev()
            .flatten()
            .copied()
            .filter(|pod| self.is_old(pod))
            .collect();
        if self.is_parallel() {
            // Those that are missing anyway go first, and take nothing of the room.
            let (gone, good): (Vec<&Value>, Vec<&Value>) = old.into_iter().partition(|pod| self.is_unavailable(pod));
            for pod in gone.into_iter().chain(good.into_iter().take(room)) {
                self.replace_one(pod);
            }
            return;
        }
        for pod in old {
            if room == 0 {
                return;
            }
            room -= 1;
            self.replace_one(pod);
        }
    }

    fn is_old(&self, pod: &Value) -> bool {
        !self.is_updated(pod) && !is_deleted(pod)
    }

    fn replace_one(&mut self, pod: &Value) {
        self.deleted += i64::from(pod_revision(pod) == name(self.current));
        self.delete(pod);
    }

    fn max_unavailable(&self) -> usize {
        let most = self.set.pointer("/spec/updateStrategy/rollingUpdate/maxUnavailable");
        let most = scaled(most, self.replicas(), false).max(1);
        usize::try_from(most).unwrap_or(1)
    }
}
