//! Label selectors: what they match, and how they are written (`k8s.io/apimachinery/pkg/labels`).

use std::fmt;

use serde_json::{Map, Value};

use super::{object, parse::parse, requirement::Requirement};
use crate::failure::Failure;

/// A label selector: conditions that must all be satisfied. Without any, it matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

impl LabelSelector {
    /// Reads the text of the parameter `labelSelector`: `a=b,c!=d,e in (f,g),!h,i>1`.
    ///
    /// # Errors
    ///
    /// 400, in the words of the real server.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        parse(text).map(Self::new).map_err(Failure::bad_request)
    }

    /// Reads a `LabelSelector` of an object: `matchLabels` and `matchExpressions`. One without both matches everything.
    ///
    /// # Errors
    ///
    /// What is wrong with it, without a place.
    pub fn from_object(selector: &Value) -> Result<Self, String> {
        object::requirements(selector).map(Self::new)
    }

    fn new(mut requirements: Vec<Requirement>) -> Self {
        requirements.sort_by(|a, b| a.key().cmp(b.key()));
        Self { requirements }
    }

    /// The conditions, by key.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Whether everything matches.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Whether an object matches; `get` is the value of one of its labels.
    pub fn matches<'l>(&self, get: impl Fn(&str) -> Option<&'l str>) -> bool {
        self.requirements.iter().all(|it| it.matches(get(it.key())))
    }

    /// Whether an object with these labels matches.
    pub fn matches_labels(&self, labels: &Map<String, Value>) -> bool {
        self.matches(|key| labels.get(key).and_then(Value::as_str))
    }
}

/// The canonical form: by key, with sorted values.
impl fmt::Display for LabelSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.requirements.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{requirement}")?;
        }
        Ok(())
    }
}
