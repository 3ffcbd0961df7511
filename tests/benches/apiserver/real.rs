//! The real control plane: etcd and kube-apiserver alone.

use std::time::{Duration, Instant};

use operatorkit_testing::{ControlPlane, Options};
use tokio::runtime::Runtime;

use crate::{door::Door, memory, report::median};

const STARTS: usize = 3;

/// The real control plane.
pub(crate) struct Real {
    plane: ControlPlane,
    /// From its start until it had answered.
    pub(crate) started: Duration,
}

impl Real {
    /// `None`, with a line that says why, where there are no programs for it.
    pub(crate) fn start() -> Option<Self> {
        let options = Options::default()
            .without_audit()
            .without_kubelet()
            .without_controllers();
        let mut started = Vec::new();
        loop {
            let begin = Instant::now();
            match ControlPlane::start(&options) {
                Ok(plane) => {
                    started.push(begin.elapsed());
                    if started.len() == STARTS {
                        let started = median(started);
                        return Some(Self { plane, started });
                    }
                }
                Err(error) => {
                    eprintln!("without the real control plane: {error:#}");
                    return None;
                }
            }
        }
    }

    /// Of kube-apiserver and etcd together.
    pub(crate) fn resident(&self) -> u64 {
        let port = format!("http://127.0.0.1:{}", self.plane.etcd_port());
        let processes = memory::processes(&["kube-apiserver", "etcd"], &port);
        assert_eq!(processes.len(), 2, "kube-apiserver and etcd");
        processes.into_iter().map(memory::resident).sum()
    }

    pub(crate) fn door(&self, runtime: &Runtime) -> Door {
        let _inside = runtime.enter();
        Door::Client("the real one over loopback", self.plane.client("admin"))
    }
}
