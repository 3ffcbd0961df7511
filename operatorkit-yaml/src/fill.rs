//! Values in place of placeholders.

use std::fmt;

use minijinja::{Value, value::Serde};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::{
    Problem, Template,
    placeholder::Placeholder,
    template::{Document, Field},
};

/// What placeholders can name.
#[derive(Clone)]
pub struct Values(Value);

impl Values {
    /// The fields of what serialises to a map.
    pub fn of(fields: &impl Serialize) -> Self {
        Self(Serde(fields).into())
    }

    /// With further fields, which go before those of the same name.
    #[must_use]
    pub fn with(self, fields: &impl Serialize) -> Self {
        Self(minijinja::value::merge_maps([self.0, Serde(fields).into()]))
    }

    /// With a function from a text to a text.
    #[must_use]
    pub fn with_function(self, name: &str, function: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let function = Value::from_function(move |text: &str| function(text));
        let function = Value::from_pairs([(name, function)]);
        Self(minijinja::value::merge_maps([self.0, function]))
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is in them may be secret.
        f.write_str("Values")
    }
}

impl Template {
    /// The objects of the file, in its order, with the values of the placeholders.
    ///
    /// A scalar that is one placeholder and nothing else gets its value with its type, maps and lists included; any other becomes a
    /// text. A field or an item whose placeholder gives `null` is left out. What a placeholder gives is a value and stays one: placeholders in it are
    /// not filled.
    ///
    /// # Errors
    /// The first placeholder that gives no value, or gives no object where it is a whole document.
    pub fn fill(&self, values: &Values) -> Result<Vec<Json>, Problem> {
        let mut objects = Vec::new();
        for document in &self.documents {
            let filled = self.field(&document.content, values)?;
            match (&document.named, filled) {
                (Some(_), Some(object)) => objects.push(object),
                (None, Some(Json::Array(list))) => {
                    for object in list {
                        objects.push(self.object(document, object)?);
                    }
                }
                (None, Some(object)) => objects.push(self.object(document, object)?),
                (_, None) => {}
            }
        }
        Ok(objects)
    }

    /// Rule: what fills a whole document is an object.
    fn object(&self, document: &Document, object: Json) -> Result<Json, Problem> {
        let is_text = |key: &str| object[key].as_str().is_some_and(|text| !text.is_empty());
        if is_text("apiVersion") && is_text("kind") {
            return Ok(object);
        }
        Err(Problem {
            file: self.file.clone(),
            line: document.line,
            message: "what fills a whole document is an object with `apiVersion` and `kind`, a list of such objects, or null for none".to_owned(),
        })
    }

    /// `None`: it is left out.
    fn field(&self, field: &Field, values: &Values) -> Result<Option<Json>, Problem> {
        Ok(match field {
            Field::Fixed(value) => Some(value.clone()),
            Field::Filled(placeholder) => Some(self.placeholder(placeholder, values)?).filter(|value| !value.is_null()),
            Field::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    list.extend(self.field(item, values)?);
                }
                Some(Json::Array(list))
            }
            Field::Map(entries) => {
                let mut map = Map::with_capacity(entries.len());
                for (key, value) in entries {
                    if let Some(value) = self.field(value, values)? {
                        map.insert(key.clone(), value);
                    }
                }
                Some(Json::Object(map))
            }
        })
    }

    fn placeholder(&self, placeholder: &Placeholder, values: &Values) -> Result<Json, Problem> {
        placeholder.fill(&values.0).map_err(|unfilled| Problem {
            file: self.file.clone(),
            line: placeholder.line + unfilled.lines,
            message: unfilled.why,
        })
    }
}
