//! The rules of a file, each in words; all that is wrong is told at once.

use serde_json::Value as Json;

use crate::{
    Named, Problem,
    placeholder::{Placeholder, Unfilled, is_placeholder},
    template::{Document, Field},
    tree::{Node, Value},
};

/// Judges the documents of a file.
pub(crate) fn judge(file: &str, documents: Vec<Node>) -> Result<Vec<Document>, Vec<Problem>> {
    let mut judge = Judge {
        file,
        problems: Vec::new(),
    };
    let documents: Vec<_> = documents
        .into_iter()
        .filter(|document| !matches!(document.value, Value::Scalar(Json::Null)))
        .filter_map(|document| judge.document(document))
        .collect();
    if documents.is_empty() && judge.problems.is_empty() {
        judge.problem(0, "there is no object in it");
    }
    if judge.problems.is_empty() {
        Ok(documents)
    } else {
        Err(judge.problems)
    }
}

struct Judge<'a> {
    file: &'a str,
    problems: Vec<Problem>,
}

impl Judge<'_> {
    fn problem(&mut self, line: u64, message: impl Into<String>) {
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line,
            message: message.into(),
        });
    }

    /// Rule: a document is an object, or one placeholder.
    fn document(&mut self, document: Node) -> Option<Document> {
        let line = document.line;
        match &document.value {
            Value::Map(entries) if !entries.iter().any(|(key, _)| matches!(key.value, Value::Map(_))) => {
                let named = self.named(line, entries);
                self.metadata(line, entries);
                let content = self.field(document);
                Some(Document {
                    line,
                    named: Some(named?),
                    content,
                })
            }
            // A placeholder without quotes.
            Value::Map(_) => {
                let _told = self.field(document);
                None
            }
            Value::Scalar(_) | Value::List(_) => match self.field(document) {
                Field::Filled(placeholder) if placeholder.is_whole() => Some(Document {
                    line,
                    named: None,
                    content: Field::Filled(placeholder),
                }),
                _ => {
                    self.problem(
                        line,
                        "a document is an object with `apiVersion` and `kind`, or one placeholder for the whole: \"{{ .. }}\"",
                    );
                    None
                }
            },
        }
    }

    /// Rule: an object says which kind it is, in so many words; a `List` is no object.
    fn named(&mut self, line: u64, entries: &[(Node, Node)]) -> Option<Named> {
        let api_version = self.word(line, entries, "apiVersion", "apps/v1");
        let kind = self.word(line, entries, "kind", "Deployment");
        let (api_version, kind) = (api_version?, kind?);
        let parts: Vec<_> = api_version.split('/').collect();
        if parts.len() > 2
            || parts
                .iter()
                .any(|part| part.is_empty() || part.contains(char::is_whitespace))
        {
            self.problem(
                line_of(entries, "apiVersion").unwrap_or(line),
                format!("`apiVersion: {api_version}` is neither `version` nor `group/version`"),
            );
            return None;
        }
        if api_version == "v1" && kind == "List" {
            self.problem(
                line,
                "a `List` is no object: write each item as a document of its own, with `---` between them",
            );
            return None;
        }
        Some(Named { api_version, kind })
    }

    fn word(&mut self, line: u64, entries: &[(Node, Node)], key: &str, example: &str) -> Option<String> {
        let Some(node) = find(entries, key) else {
            self.problem(
                line,
                format!("`{key}` is missing: write `{key}: {example}` or the like"),
            );
            return None;
        };
        match &node.value {
            Value::Scalar(Json::String(text)) if is_placeholder(text) => {
                self.problem(
                    node.line,
                    format!(
                        "`{key}` cannot be a placeholder, since rights and order depend on it: write it out, or fill the whole document, \"{{{{ .. }}}}\""
                    ),
                );
                None
            }
            Value::Scalar(Json::String(text)) if !text.trim().is_empty() => Some(text.clone()),
            _ => {
                self.problem(
                    node.line,
                    format!("`{key}` is a text: write `{key}: {example}` or the like"),
                );
                None
            }
        }
    }

    /// Rule: an object has a name, since it is found again by it.
    fn metadata(&mut self, line: u64, entries: &[(Node, Node)]) {
        const MISSING: &str = "`metadata.name` is missing: \"{{ child_name('web') }}\" is a good one";
        let Some(metadata) = find(entries, "metadata") else {
            return self.problem(line, MISSING);
        };
        // What a placeholder gives is looked at when it is filled.
        let Value::Map(fields) = &metadata.value else {
            return;
        };
        match find(fields, "name").map(|name| (name.line, &name.value)) {
            Some((_, Value::Scalar(Json::String(_)))) => {}
            // `no` is a word for false.
            Some((line, _)) => self.problem(line, "`metadata.name` is a text: put it in quotes"),
            None => self.problem(metadata.line, MISSING),
        }
    }

    fn field(&mut self, node: Node) -> Field {
        match node.value {
            Value::Scalar(Json::String(text)) if is_placeholder(&text) => self.placeholder(node.line, &text),
            Value::Scalar(value) => Field::Fixed(value),
            Value::List(items) => Field::List(items.into_iter().map(|item| self.field(item)).collect()),
            Value::Map(entries) => {
                let entry = |(key, value): (Node, Node)| Some((self.key(key)?, self.field(value)));
                Field::Map(entries.into_iter().filter_map(entry).collect())
            }
        }
    }

    /// Rule: placeholders have the syntax of Jinja.
    fn placeholder(&mut self, line: u64, text: &str) -> Field {
        match Placeholder::parse(line, text) {
            Ok(placeholder) => Field::Filled(placeholder),
            Err(Unfilled { lines, why }) => {
                self.problem(line + lines, why);
                Field::Fixed(Json::Null)
            }
        }
    }

    /// Rules: a key is a text; no placeholder stands in one, so that no value becomes a key.
    fn key(&mut self, key: Node) -> Option<String> {
        match key.value {
            Value::Scalar(Json::String(text)) if is_placeholder(&text) => {
                self.problem(
                    key.line,
                    format!("`{text}` cannot stand in a key: fill the map as a whole, \"{{{{ .. }}}}\", or write the key out"),
                );
                None
            }
            Value::Scalar(Json::String(text)) => Some(text),
            Value::Scalar(value) => {
                self.problem(key.line, format!("a key is a text: put `{value}` in quotes"));
                None
            }
            // `{{ x }}` is a map whose key is a map.
            Value::Map(_) => {
                self.problem(
                    key.line,
                    "a placeholder stands in quotes, and keeps its type: \"{{ .. }}\"; without them it is a map to YAML",
                );
                None
            }
            Value::List(_) => {
                self.problem(key.line, "a key is a text, not a list");
                None
            }
        }
    }
}

fn find<'a>(entries: &'a [(Node, Node)], key: &str) -> Option<&'a Node> {
    let is = |node: &Node| matches!(&node.value, Value::Scalar(Json::String(text)) if text == key);
    entries.iter().find(|(node, _)| is(node)).map(|(_, value)| value)
}

fn line_of(entries: &[(Node, Node)], key: &str) -> Option<u64> {
    find(entries, key).map(|node| node.line)
}
