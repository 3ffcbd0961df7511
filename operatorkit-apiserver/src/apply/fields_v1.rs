//! `fieldsV1`: sets of fields as JSON.

use serde_json::{Map, Value};

use super::{
    element::PathElement,
    go,
    set::{Branch, FieldSet},
};

impl FieldSet {
    /// Reads `fieldsV1`. Elements of an unknown kind are skipped.
    ///
    /// # Errors
    ///
    /// What is wrong, in words: not an object, or a key that is no path element.
    pub fn from_fields_v1(value: &Value) -> Result<Self, String> {
        let Value::Object(fields) = value else {
            return match value {
                Value::Null => Ok(Self::new()),
                other => Err(format!("ReadMapCB: expect {{ or n, but found {}", go::json(other))),
            };
        };
        let mut set = Self::new();
        for (key, below) in fields {
            if key == "." {
                continue;
            }
            let Some(element) = PathElement::parse(key)? else {
                continue;
            };
            let children = Self::from_fields_v1(below)?;
            // `{}` is a member; so is what says so with a dot.
            let member = children.is_empty() || below.get(".").is_some();
            set.branches.insert(element, Branch { member, children });
        }
        Ok(set)
    }

    /// As `fieldsV1` in an object.
    pub fn to_fields_v1(&self) -> Value {
        let mut fields = Map::new();
        for (element, branch) in &self.branches {
            let mut below = branch.children.to_fields_v1();
            if branch.member && !branch.children.is_empty() {
                below["."] = Value::Object(Map::new());
            }
            fields.insert(element.serialize(), below);
        }
        Value::Object(fields)
    }

    /// As the real server writes it, byte by byte. It differs from [`Self::to_fields_v1`] in the order of numeric keys,
    /// which a JSON object sorted by text does not keep.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(false, &mut out);
        out
    }

    fn write(&self, dot: bool, out: &mut String) {
        out.push('{');
        if dot && !self.is_empty() {
            out.push_str("\".\":{},");
        }
        for (index, (element, branch)) in self.branches.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&Value::String(element.serialize()).to_string());
            out.push(':');
            branch.children.write(branch.member, out);
        }
        out.push('}');
    }
}
