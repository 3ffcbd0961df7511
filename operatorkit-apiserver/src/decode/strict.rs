//! What a strict reader has against a document: fields given twice, and fields nobody knows.

use std::collections::HashSet;

use super::json::Json;

/// How many errors are told (`sigs.k8s.io/json`).
const MAX_ERRORS: usize = 100;

/// The errors of a strict reader, each once.
#[derive(Debug, Default)]
pub(crate) struct StrictErrors {
    errors: Vec<String>,
    seen: HashSet<String>,
}

impl StrictErrors {
    /// A field that is given twice.
    pub(crate) fn duplicate(&mut self, place: &Place<'_>) {
        self.push("duplicate", place);
    }

    /// A field that is not known.
    pub(crate) fn unknown(&mut self, place: &Place<'_>) {
        self.push("unknown", place);
    }

    /// A field that is not known, at a place that is already written.
    pub(crate) fn unknown_at(&mut self, place: &str) {
        self.add(format!("unknown field {place:?}"));
    }

    fn push(&mut self, what: &str, place: &Place<'_>) {
        if self.errors.len() < MAX_ERRORS {
            self.add(format!("{what} field {:?}", place.to_string()));
        }
    }

    /// An error in other words.
    pub(crate) fn add(&mut self, error: String) {
        if self.errors.len() < MAX_ERRORS && self.seen.insert(error.clone()) {
            self.errors.push(error);
        }
    }

    /// The errors, in the order in which they were found.
    pub(crate) fn into_errors(self) -> Vec<String> {
        self.errors
    }
}

/// Where the reader is: `spec.containers[0].name`. It is written only when there is something to say.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'p> {
    /// The document.
    Root,
    /// A field of an object, or a value of a map.
    Field(&'p Place<'p>, &'p str),
    /// An item of a list.
    Item(&'p Place<'p>, usize),
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Finds the duplicate fields of a document without types.
pub(crate) fn duplicates(value: &Json<'_>, place: &Place<'_>, errors: &mut StrictErrors) {
    match value {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                duplicates(item, &Place::Item(place, index), errors);
            }
        }
        Json::Object(fields) => {
            let mut seen = HashSet::with_capacity(fields.len());
            for (key, value) in fields {
                let place = Place::Field(place, key);
                if !seen.insert(key.as_ref()) {
                    errors.duplicate(&place);
                }
                duplicates(value, &place, errors);
            }
        }
        _ => {}
    }
}
