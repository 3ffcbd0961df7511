//! The query of a request.

use std::collections::BTreeMap;

use crate::failure::Failure;

/// The parameters of a request. Of a repeated one all values are kept; most readers take the first, as Go does.
#[derive(Clone, Debug, Default)]
pub struct Query(BTreeMap<String, Vec<String>>);

impl Query {
    /// From what follows the `?`.
    pub fn parse(query: &str) -> Self {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            all.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Self(all)
    }

    /// A parameter; empty if it is not there.
    pub fn text(&self, name: &str) -> &str {
        self.0
            .get(name)
            .and_then(|values| values.first())
            .map_or("", String::as_str)
    }

    /// All values of a parameter.
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the parameter is there.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A switch: `true` and `1`, and there without a value; `false` and `0` are off.
    pub fn switch(&self, name: &str) -> bool {
        self.has(name) && !matches!(self.text(name).to_lowercase().as_str(), "false" | "0")
    }

    /// A number.
    ///
    /// # Errors
    ///
    /// 400 in Go's words if it is none.
    pub fn number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let text = self.text(name);
        if text.is_empty() {
            return Ok(None);
        }
        let number = text.parse();
        number
            .map(Some)
            .map_err(|_| Failure::bad_request(format!("strconv.ParseInt: parsing {text:?}: invalid syntax")))
    }
}
