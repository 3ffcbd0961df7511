//! `Template`: a file whose rules hold, ready to be filled.

use serde_json::Value as Json;

use crate::{Problem, judge, placeholder::Placeholder, tree};

/// The objects of a file, with placeholders among their values.
#[derive(Debug)]
pub struct Template {
    pub(crate) file: String,
    pub(crate) documents: Vec<Document>,
}

/// One document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) line: u64,
    /// What kind of object it is; `None`: the whole document is a placeholder.
    pub(crate) named: Option<Named>,
    pub(crate) content: Field,
}

/// A value.
#[derive(Debug)]
pub(crate) enum Field {
    Fixed(Json),
    Filled(Placeholder),
    List(Vec<Field>),
    Map(Vec<(String, Field)>),
}

/// A kind as an object names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// The group and version, such as `apps/v1`.
    pub api_version: String,
    /// The kind, such as `Deployment`.
    pub kind: String,
}

impl Template {
    /// Reads a text; `file` is what errors call it.
    ///
    /// # Errors
    /// All that is wrong with it: the syntax of YAML and of placeholders, placeholders where none can stand, `apiVersion`, `kind` or
    /// `metadata.name` that are not there.
    pub fn parse(file: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let documents = tree::read(file, text).map_err(|problem| vec![problem])?;
        let documents = judge::judge(file, documents)?;
        Ok(Self {
            file: file.to_owned(),
            documents,
        })
    }

    /// What errors call the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The kinds that its documents name, each once, in their order. A document that is a placeholder names none before it is filled.
    pub fn kinds(&self) -> Vec<Named> {
        let mut kinds = Vec::new();
        for named in self.documents.iter().filter_map(|document| document.named.as_ref()) {
            if !kinds.contains(named) {
                kinds.push(named.clone());
            }
        }
        kinds
    }

    /// Whether all documents say their kind: none is a placeholder as a whole.
    pub fn names_all_kinds(&self) -> bool {
        self.documents.iter().all(|document| document.named.is_some())
    }
}
