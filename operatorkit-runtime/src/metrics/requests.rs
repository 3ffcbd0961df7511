//! Requests to the API server, counted by verb and code.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use prometheus_client::{
    encoding::{EncodeMetric as _, MetricEncoder},
    metrics::counter::Counter,
};

/// Whose requests those of a leader election are. No operator is called so: it is no label value of Kubernetes'.
const ELECTION: &str = "<leader-election>";

/// The requests of an operator, or of a leader election.
#[derive(Debug)]
pub(crate) struct Requests {
    controller: Arc<str>,
    /// By verb and HTTP code; 0 stands for no answer.
    counts: Mutex<BTreeMap<(&'static str, u16), Counter>>,
}

impl Requests {
    /// Of an operator; what it asks every day is there from the start.
    pub(super) fn of_operator(controller: Arc<str>) -> Self {
        let answers = [
            ("get", 200),
            ("list", 200),
            ("watch", 200),
            ("create", 201),
            ("patch", 200),
            ("patch", 201),
            ("delete", 200),
            ("discover", 200),
        ];
        Self::new(controller, &answers)
    }

    /// Of the leader election.
    pub(super) fn of_election() -> Self {
        Self::new(ELECTION.into(), &[("get", 200), ("create", 201), ("update", 200)])
    }

    fn new(controller: Arc<str>, answers: &[(&'static str, u16)]) -> Self {
        let counts = answers
            .iter()
            .flat_map(|&(verb, code)| [(verb, code), (verb, 0)])
            .map(|key| (key, Counter::default()));
        Self {
            controller,
            counts: Mutex::new(counts.collect()),
        }
    }

    /// A request was answered with this code; `None`: there was no answer.
    pub(crate) fn answered(&self, verb: &'static str, code: Option<u16>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.entry((verb, code.unwrap_or(0))).or_default().inc();
    }

    /// Writes the samples.
    pub(super) fn write(&self, sample: &mut MetricEncoder<'_>) -> fmt::Result {
        for ((verb, code), count) in &*self.counts.lock().unwrap_or_else(PoisonError::into_inner) {
            let code = if *code == 0 {
                "<error>".to_owned()
            } else {
                code.to_string()
            };
            let labels = [("controller", &*self.controller), ("verb", verb), ("code", &*code)];
            count.encode(sample.encode_family(&labels)?)?;
        }
        Ok(())
    }
}
