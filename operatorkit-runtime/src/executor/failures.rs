//! Telling reporters of failures: when they appear, and each hour while they last.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    mem,
    time::Duration,
};

use tokio::time::Instant;

use super::{
    Pass, Running,
    ending::{End, Problem},
};
use crate::{operator::Operator, reporting::ErrorReport, store::ObjectEntry};

/// How long a failure lasts before it is reported again.
const AGAIN: Duration = Duration::from_hours(1);

impl End {
    /// Notes which operation each problem came from.
    pub(super) fn locate<O: Operator>(&mut self, pass: &Pass<O>) {
        for problem in &mut self.problems {
            problem.operation = problem.resource.as_deref().and_then(|name| pass.failed_operation(name));
        }
    }
}

impl<O: Operator> Running<O> {
    /// Reports what of a pass failed, if that is news.
    pub(super) fn report_failures(&self, entry: &ObjectEntry<O>, end: &End) {
        if self.reports.is_off() {
            return;
        }
        let now = Instant::now();
        let news: Vec<_> = self.remember(&entry.uid, |memory| {
            let before = mem::take(&mut memory.reported);
            let loud = end.problems.iter().filter(|problem| !problem.quiet);
            loud.filter(|problem| {
                let last = before.get(&key(problem)).filter(|last| now - **last < AGAIN);
                memory.reported.insert(key(problem), *last.unwrap_or(&now));
                last.is_none()
            })
            .collect()
        });
        for problem in news {
            self.reports.send(self.report_of(entry, problem));
        }
    }

    fn report_of(&self, entry: &ObjectEntry<O>, problem: &Problem) -> ErrorReport {
        ErrorReport {
            app: String::new(),
            operator: Some(self.names.operator.clone()),
            kind: Some(self.kind.kind.clone()),
            namespace: entry.namespace().map(str::to_owned),
            name: Some(entry.name().to_owned()),
            uid: Some(entry.uid.to_string()),
            resource: problem.resource.clone(),
            operation: problem.operation,
            reason: problem.reason.clone(),
            message: problem.message.clone(),
            causes: problem.causes.clone(),
            permanent: problem.permanent,
        }
    }
}

/// What makes a failure the same.
fn key(problem: &Problem) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&problem.resource, problem.operation, &problem.reason, &problem.message).hash(&mut hasher);
    hasher.finish()
}
