//! A digest of what is observed at the sent paths.

use serde_json::{Map, Value};
use xxhash_rust::xxh3::Xxh3;

use super::{
    hash::in_key_order,
    matches::{Canonical, canonical},
    pairs::Pairs,
    place::Place,
    quantity::Quantity,
};

/// A digest of what is observed at the sent paths, for comparisons within a process.
///
/// It takes the walk of [`matches`](super::matches()) and makes the same things equal, so two observed objects that
/// both match what was sent have one digest. A list that does not fit the sent one, and an object of which `{}` was sent, count whole.
pub(crate) fn digest(sent: &Value, observed: &Value) -> u64 {
    let mut walk = Walk(Xxh3::new());
    walk.at(Place::Plain, "", sent, observed);
    walk.0.digest()
}

struct Walk(Xxh3);

impl Walk {
    fn at(&mut self, place: Place, name: &str, sent: &Value, observed: &Value) {
        match (sent, observed) {
            (Value::Object(sent), Value::Object(observed)) if !sent.is_empty() && place != Place::Whole => {
                self.members(place, sent, observed);
            }
            (Value::Object(sent), absent) if !sent.is_empty() && place != Place::Whole && place.is_empty(absent) => {
                self.members(place, sent, &Map::new());
            }
            (Value::Array(sent), Value::Array(items)) if !sent.is_empty() => match Pairs::of(name, sent, items) {
                Some(pairs) => self.items(place, pairs, sent, items),
                None => self.whole(place, observed),
            },
            _ => self.whole(place, observed),
        }
    }

    /// The members that were sent; which ones were, is the same for all that is compared.
    fn members(&mut self, place: Place, sent: &Map<String, Value>, observed: &Map<String, Value>) {
        self.tag(b'o');
        in_key_order(sent, |key, member| {
            let seen = observed.get(key).unwrap_or(&Value::Null);
            self.at(place.member(key), key, member, seen);
        });
        self.tag(b'.');
    }

    fn items(&mut self, place: Place, pairs: Pairs, sent: &[Value], observed: &[Value]) {
        self.tag(b'a');
        for (index, item) in sent.iter().enumerate() {
            let partner = pairs.partner(index, item, observed).unwrap_or(&Value::Null);
            self.at(place.item(), "", item, partner);
        }
        self.tag(b'.');
    }

    /// All of a value, down to its leaves.
    fn whole(&mut self, place: Place, value: &Value) {
        match value {
            empty if place.is_empty(empty) => self.tag(b'e'),
            Value::Object(map) => {
                self.tag(b'o');
                in_key_order(map, |key, member| {
                    let inner = place.member(key);
                    if !inner.is_empty(member) {
                        self.text(key);
                        self.whole(inner, member);
                    }
                });
                self.tag(b'.');
            }
            Value::Array(items) => {
                self.tag(b'a');
                for item in items {
                    self.whole(place.item(), item);
                }
                self.tag(b'.');
            }
            scalar => self.scalar(place, scalar),
        }
    }

    fn scalar(&mut self, place: Place, value: &Value) {
        if place.is_amount()
            && let Some(quantity) = Quantity::of(value)
        {
            self.tag(b'q');
            self.0.update(&quantity.to_bytes());
            return;
        }
        match value {
            Value::String(text) => {
                self.tag(b's');
                self.text(text);
            }
            Value::Number(number) => match canonical(number) {
                Canonical::Whole(whole) => {
                    self.tag(b'i');
                    self.0.update(&whole.to_le_bytes());
                }
                Canonical::Fraction(float) => {
                    self.tag(b'f');
                    self.0.update(&float.to_le_bytes());
                }
            },
            Value::Bool(true) => self.tag(b't'),
            _ => self.tag(b'n'),
        }
    }

    fn tag(&mut self, tag: u8) {
        self.0.update(&[tag]);
    }

    fn text(&mut self, text: &str) {
        self.0.update(&text.len().to_le_bytes());
        self.0.update(text.as_bytes());
    }
}
