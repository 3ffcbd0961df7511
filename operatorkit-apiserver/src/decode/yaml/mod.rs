//! YAML bodies: the first document, read by the rules of YAML 1.1 as Go's `sigs.k8s.io/yaml` does (`yes` is `true`).

mod key;

use std::{borrow::Cow, cell::Cell, collections::HashMap, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, NonFiniteFloatPolicy, Options, Spanned};

use self::key::Key;
use super::{
    json::{self, Json, from_value},
    strict::{Place, StrictErrors, duplicates},
};

/// What stands before the list of duplicate keys.
const ERRORS: &str = "yaml: unmarshal errors:\n";
/// How deep a document may be that is not JSON: the reader takes more than 20 KB of stack for each level without optimisation.
const MAX_DEPTH: usize = 48;
/// How much text a document may come to. Aliases can say a lot with little.
const MAX_TEXT: usize = 16 * 1024 * 1024;
/// What an item of a list counts for.
const ITEM: usize = 16;
/// How many keys that are given twice are told.
const MAX_DUPLICATES: usize = 100;

/// Reads the first document of a body; `null` if there is none. Keys that are given twice go to `strict`.
pub(super) fn to_json(body: &[u8], strict: &mut StrictErrors) -> Result<Json<'static>, String> {
    if let Some(document) = from_json(body) {
        return Ok(document);
    }
    let text = str::from_utf8(body).map_err(|_| "yaml: invalid leading UTF-8 octet".to_owned())?;
    let budget = serde_saphyr::budget! { max_depth: MAX_DEPTH, max_nodes: 250_000 };
    let options = serde_saphyr::options! {
        budget: budget,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        legacy_octal_numbers: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    let reading = Reading::default();
    let mut document = None;
    let read = read(text, options, &reading, &mut document);
    let duplicates = reading.duplicates.take();
    match (document, read) {
        (Some(document), _) => {
            if !duplicates.is_empty() {
                strict.add(format!("{ERRORS}  {}", duplicates.join("\n  ")));
            }
            Ok(document)
        }
        (None, Ok(())) => Ok(Json::Null),
        // The words are those of another parser.
        (None, Err(error)) => Err(reading.refusal.take().unwrap_or_else(|| format!("yaml: {error}"))),
    }
}

/// JSON is YAML, and most clients send it; duplicates are left to the other reader.
fn from_json(body: &[u8]) -> Option<Json<'static>> {
    let document = json::parse(body).ok()?;
    let mut errors = StrictErrors::default();
    duplicates(&document, &Place::Root, &mut errors);
    // Numbers are written anew: `1.0` is a whole one here.
    errors
        .into_errors()
        .is_empty()
        .then(|| document.to_value().ok().map(|value| from_value(&value)))?
}

/// What is told of an error of a strict reader: of duplicate keys each by itself.
pub(super) fn warnings(error: &str) -> Vec<String> {
    match error.strip_prefix(ERRORS) {
        Some(lines) => lines.lines().map(|line| line.trim().to_owned()).collect(),
        None => vec![error.to_owned()],
    }
}

fn read(
    text: &str,
    options: Options,
    reading: &Reading,
    document: &mut Option<Json<'static>>,
) -> Result<(), serde_saphyr::Error> {
    serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| {
        // What stands behind the first document does not count, so it is taken out here.
        *document = Some(reading.deserialize(deserializer)?);
        Ok(())
    })
}

#[derive(Default)]
struct Reading {
    text: Cell<usize>,
    duplicates: Cell<Vec<String>>,
    refusal: Cell<Option<String>>,
}

impl Reading {
    fn refuse<E: serde::de::Error>(&self, message: String) -> E {
        let error = E::custom(&message);
        self.refusal.set(Some(message));
        error
    }

    fn count<E: serde::de::Error>(&self, length: usize) -> Result<(), E> {
        self.text.set(self.text.get() + length);
        if self.text.get() > MAX_TEXT {
            return Err(self.refuse("yaml: document contains excessive aliasing".to_owned()));
        }
        Ok(())
    }

    fn duplicate(&self, line: u64, key: &Key) {
        let mut duplicates = self.duplicates.take();
        if duplicates.len() >= MAX_DUPLICATES {
            self.duplicates.set(duplicates);
            return;
        }
        duplicates.push(format!("line {line}: key {} already set in map", key.shown));
        self.duplicates.set(duplicates);
    }
}

impl<'de> DeserializeSeed<'de> for &Reading {
    type Value = Json<'static>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Reading {
    type Value = Json<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(Cow::Owned(value.to_string())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(Cow::Owned(value.to_string())))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        if !value.is_finite() {
            let name = if value.is_nan() {
                "NaN"
            } else if value > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            return Err(self.refuse(format!("json: unsupported value: {name}")));
        }
        Ok(from_value(&value.into()))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Self::Value, E> {
        self.count(value.len())?;
        Ok(from_value(&value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            self.count(ITEM)?;
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some(key) = entries.next_key::<Spanned<Key>>()? {
            let line = key.referenced.line();
            let key = key.value;
            self.count(key.text.len())?;
            let value = entries.next_value_seed(self)?;
            match places.get(&key.text) {
                Some(place) => {
                    self.duplicate(line, &key);
                    fields[*place].1 = value;
                }
                None => {
                    places.insert(key.text.clone(), fields.len());
                    fields.push((Cow::Owned(key.text), value));
                }
            }
        }
        Ok(Json::Object(fields))
    }
}
