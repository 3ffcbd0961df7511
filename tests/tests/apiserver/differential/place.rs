//! A place in an object, as the tables of fields write it: `spec/ports{port=80,protocol="TCP"}/name`.

use operatorkit::serde_json::{self, Map, Value};

/// Where a value is: keys of objects, and elements of lists by what they say of themselves.
#[derive(Clone, Debug)]
pub(super) struct Place(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Key(String),
    Element(Map<String, Value>),
}

impl Place {
    /// Reads a place; `~1` in a key is a slash.
    pub(super) fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        for part in text.split('/') {
            let (key, element) = part
                .split_once('{')
                .map_or((part, None), |(key, rest)| (key, Some(rest)));
            parts.push(Part::Key(key.replace("~1", "/")));
            if let Some(element) = element.and_then(|rest| rest.strip_suffix('}')) {
                let fields = element.split(',').filter_map(|field| field.split_once('='));
                let read = |text: &str| serde_json::from_str(text).unwrap_or_else(|err| panic!("{part}: {err}"));
                parts.push(Part::Element(
                    fields.map(|(key, value)| (key.to_owned(), read(value))).collect(),
                ));
            }
        }
        Self(parts)
    }

    /// Puts a value there; what is in the way is replaced.
    pub(super) fn set(&self, within: &mut Value, value: Value) {
        *self.reach(within) = value;
    }

    fn reach<'a>(&self, mut at: &'a mut Value) -> &'a mut Value {
        for part in &self.0 {
            at = match part {
                Part::Key(key) => {
                    if !at.is_object() {
                        *at = Map::new().into();
                    }
                    &mut at[key.as_str()]
                }
                Part::Element(fields) => {
                    if !at.is_array() {
                        *at = Value::Array(Vec::new());
                    }
                    let list = at.as_array_mut().expect("it is one now");
                    let found = list.iter().position(|element| is(element, fields)).unwrap_or_else(|| {
                        list.push(fields.clone().into());
                        list.len() - 1
                    });
                    &mut list[found]
                }
            };
        }
        at
    }

    /// Removes what is there.
    pub(super) fn remove(&self, within: &mut Value) {
        let Some((last, before)) = self.0.split_last() else {
            return;
        };
        let mut at = within;
        for part in before {
            let next = match part {
                Part::Key(key) => at.get_mut(key),
                Part::Element(fields) => at
                    .as_array_mut()
                    .and_then(|list| list.iter_mut().find(|it| is(it, fields))),
            };
            let Some(next) = next else { return };
            at = next;
        }
        match (last, at) {
            (Part::Key(key), Value::Object(map)) => {
                map.remove(key);
            }
            (Part::Element(fields), Value::Array(list)) => list.retain(|element| !is(element, fields)),
            _ => {}
        }
    }

    /// What is there.
    pub(super) fn get<'a>(&self, within: &'a Value) -> Option<&'a Value> {
        let mut at = within;
        for part in &self.0 {
            at = match part {
                Part::Key(key) => at.get(key)?,
                Part::Element(fields) => at.as_array()?.iter().find(|element| is(element, fields))?,
            };
        }
        Some(at)
    }

    /// What an `add` has to say so that a value comes to be there: the pointer to the first part that is missing, and what goes there.
    pub(super) fn addition(&self, within: &Value, value: Value) -> (String, Value) {
        let upto = |count: usize| Self(self.0[..count].to_vec());
        let there = (1..self.0.len())
            .take_while(|count| upto(*count).get(within).is_some())
            .count();
        let mut rest = Value::Null;
        Self(self.0[there + 1..].to_vec()).set(&mut rest, value);
        if let Part::Element(fields) = &self.0[there]
            && there + 1 < self.0.len()
        {
            fields.iter().for_each(|(key, value)| rest[key] = value.clone());
        }
        (upto(there + 1).pointer(within), rest)
    }

    /// The JSON pointer to it in an object; an element that is not in the list is `-`, behind its end.
    pub(super) fn pointer(&self, within: &Value) -> String {
        let mut at = Some(within);
        let mut pointer = String::new();
        for part in &self.0 {
            pointer.push('/');
            match part {
                Part::Key(key) => {
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                    at = at.and_then(|at| at.get(key));
                }
                Part::Element(fields) => {
                    let list = at.and_then(Value::as_array);
                    let found = list.and_then(|list| list.iter().position(|element| is(element, fields)));
                    pointer.push_str(&found.map_or("-".to_owned(), |found| found.to_string()));
                    at = found.and_then(|found| list?.get(found));
                }
            }
        }
        pointer
    }
}

fn is(element: &Value, fields: &Map<String, Value>) -> bool {
    fields.iter().all(|(key, value)| element.get(key) == Some(value))
}
