//! Answers as lines for those who compare servers with each other.

use operatorkit::serde_json::Value;

use super::{answer, normal::Normal, parse::Step};
use crate::server::Answer;

/// Reads the answers of one server; what differs by chance is numbered as it comes.
#[derive(Debug)]
pub(crate) struct Reader {
    normal: Normal,
    step: Step,
}

impl Reader {
    /// For requests that say `said`.
    pub(crate) fn new(said: String) -> Self {
        let step = Step {
            options: vec!["fields".into()],
            ..Step::default()
        };
        Self {
            normal: Normal::new(said),
            step,
        }
    }

    /// From now on `text` is shown as `shown`.
    pub(crate) fn name(&mut self, text: &str, shown: &str) {
        self.normal.name(text, shown);
    }

    /// The lines of an answer: code and reason, headers that matter, the body.
    pub(crate) fn answer(&mut self, answer: &Answer) -> Vec<String> {
        answer::lines(&self.step, answer, &mut self.normal)
    }

    /// The lines of events.
    pub(crate) fn events(&mut self, events: Vec<Value>) -> Vec<String> {
        self.normal.fields = true;
        answer::events(&self.step, events, &mut self.normal)
    }

    /// A text as it is shown.
    pub(crate) fn text(&mut self, text: &str) -> String {
        match self.normal.value(text.into()) {
            Value::String(text) => text,
            other => other.to_string(),
        }
    }
}
