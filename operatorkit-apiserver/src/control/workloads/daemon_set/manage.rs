//! Pods of a `DaemonSet` that are missing on their node, or too many there.

use serde_json::Value;

use super::{Controller, place};
use crate::control::workloads::owner::{is_deleted, name};
use crate::control::workloads::pod::is_ready;
use crate::read::{some_text, text};

impl<'a> Controller<'a> {
    pub(super) fn manage(&mut self) {
        for node in self.nodes {
            let (should_run, can_stay) = place::should_run(self.set, node);
            let pods = self.pods_on(name(node)).to_vec();
            if should_run && pods.is_empty() {
                self.create_on(name(node));
            } else if can_stay {
                self.keep_one(name(node), &pods, should_run);
            } else {
                pods.into_iter()
                    .filter(|pod| !is_deleted(pod))
                    .for_each(|pod| self.delete(pod));
            }
        }
        self.delete_lost();
    }

    fn keep_one(&mut self, node: &str, pods: &[&'a Value], should_run: bool) {
        let mut running: Vec<&Value> = Vec::new();
        for pod in pods.iter().filter(|pod| !is_deleted(pod)) {
            match text(pod, "/status/phase") {
                "Failed" if self.look_again_at(pod) => {}
                "Failed" | "Succeeded" => self.delete(pod),
                _ => running.push(pod),
            }
        }
        if !self.surges() {
            running.iter().skip(1).for_each(|pod| self.delete(pod));
        } else if running.is_empty() && should_run {
            self.create_on(node);
        } else if running.len() > 1 {
            self.keep_two(&running);
        }
    }

    /// While Pods are replaced there can be two: the old one is kept until the new one is available.
    fn keep_two(&mut self, running: &[&'a Value]) {
        let (new, old): (Vec<&Value>, Vec<&Value>) = running.iter().copied().partition(|pod| self.is_updated(pod));
        for pod in new.iter().skip(1).chain(old.iter().skip(1)) {
            self.delete(pod);
        }
        let pair = new
            .first()
            .zip(old.first())
            .filter(|(new, old)| !is_ready(old) || self.is_available(new));
        if let Some((_, old)) = pair {
            self.delete(old);
        }
    }

    /// Deletes Pods that wait for a node that is gone.
    fn delete_lost(&mut self) {
        let nodes: Vec<&str> = self.nodes.iter().map(|node| name(node)).collect();
        let lost = self
            .on_node
            .iter()
            .filter(|(node, _)| !nodes.contains(node))
            .flat_map(|(_, pods)| pods.clone());
        let lost: Vec<&Value> = lost
            .filter(|pod| some_text(pod, "/spec/nodeName").is_none() && !is_deleted(pod))
            .collect();
        lost.into_iter().for_each(|pod| self.delete(pod));
    }
}
