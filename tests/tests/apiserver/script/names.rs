//! Texts that a case shows under a name: what it gave one to, names and hashes by chance.

use std::sync::LazyLock;

use operatorkit::serde_json::Value;
use regex::Regex;

static GENERATE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"generateName: "?([\w.-]+)"#).expect("a pattern"));

/// Texts, and what is shown for them; the longest first, since one may hold another.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<(String, String)>);

impl Names {
    /// From now on `text` is shown as `shown`.
    pub(super) fn add(&mut self, text: &str, shown: &str) {
        if !text.is_empty() && !self.0.iter().any(|(known, _)| known == text) {
            self.0.push((text.to_owned(), shown.to_owned()));
            self.0.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        }
    }

    /// A text with what has a name replaced by it.
    pub(super) fn plain(&self, text: &str) -> String {
        let names = self.0.iter();
        names.fold(text.to_owned(), |text, (known, name)| text.replace(known, name))
    }

    /// Names by chance are told by what stands beside them.
    pub(super) fn find(&mut self, value: &Value, said: &str) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.find(value, said)),
            Value::Object(map) => {
                let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
                let (generate, name) = (text("generateName"), text("name"));
                // What was too long is cut.
                if let Some((before, suffix)) = name.len().checked_sub(5).and_then(|at| name.split_at_checked(at))
                    && !before.is_empty()
                    && generate.starts_with(before)
                {
                    self.numbered(suffix, "random", said);
                }
                for key in [
                    "pod-template-hash",
                    "controller-revision-hash",
                    "currentRevision",
                    "updateRevision",
                ] {
                    // A StatefulSet's has its name before it.
                    self.numbered(text(key).rsplit('-').next().unwrap_or_default(), "hash", said);
                }
                map.values().for_each(|value| self.find(value, said));
            }
            _ => {}
        }
    }

    /// A refused object's name stands in the message only.
    pub(super) fn find_generated(&mut self, value: &Value, said: &str) {
        let message = value["message"].as_str().unwrap_or_default();
        for found in GENERATE.captures_iter(said) {
            let pattern = format!("\\b{}([bcdfghjklmnpqrstvwxz2456789]{{5}})\\b", regex::escape(&found[1]));
            let pattern = Regex::new(&pattern).expect("a pattern");
            for found in pattern.captures_iter(message) {
                self.numbered(&found[1], "random", said);
            }
        }
    }

    fn numbered(&mut self, text: &str, kind: &str, said: &str) {
        if !said.contains(text) {
            let before = format!("<{kind} ");
            let count = self.0.iter().filter(|(_, shown)| shown.starts_with(&before)).count();
            self.add(text, &format!("{before}{}>", count + 1));
        }
    }
}
