//! Whether what is observed at the sent paths equals what was sent.

use serde_json::{Map, Number, Value};

use super::{pairs::Pairs, place::Place, quantity::Quantity};

/// Whether what is observed at the sent paths equals what was sent.
///
/// - Objects: every sent member is observed equal; other members are not looked at, but in selectors. An empty object
///   that was sent equals only an empty or absent one.
/// - Lists: as long as each other, item by item; in those that the API keeps as maps, by key.
/// - `{}`, `[]`, `null` and `""` equal each other and what is absent; `""` does not in maps of the user's (data, labels).
///   `false` and `0` do not equal what is absent.
/// - Quantities equal by amount, where the API has quantities. Numbers equal by value; a number is not its text.
pub(crate) fn matches(sent: &Value, observed: &Value) -> bool {
    at(Place::Plain, "", sent, observed)
}

/// A number, the same for the same value however it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Canonical {
    Whole(i128),
    Fraction(f64),
}

pub(super) fn canonical(number: &Number) -> Canonical {
    // Whole floats beyond this are far from being exact, and no integer of the API reaches it.
    const EXACT: f64 = 1e18;
    if let Some(whole) = number.as_i128() {
        return Canonical::Whole(whole);
    }
    match number.as_f64().unwrap_or_default() {
        #[expect(clippy::cast_possible_truncation, reason = "the value is whole and in range")]
        float if float.fract() == 0.0 && float.abs() <= EXACT => Canonical::Whole(float as i128),
        float => Canonical::Fraction(float),
    }
}

fn at(place: Place, name: &str, sent: &Value, observed: &Value) -> bool {
    match (sent, observed) {
        (Value::Object(sent), Value::Object(observed)) if !sent.is_empty() => {
            members(place, sent, observed) && (place != Place::Whole || no_more(place, sent, observed))
        }
        (Value::Array(sent), Value::Array(observed)) if !sent.is_empty() => items(place, name, sent, observed),
        _ => leaf(place, sent, observed),
    }
}

fn members(place: Place, sent: &Map<String, Value>, observed: &Map<String, Value>) -> bool {
    sent.iter().all(|(key, member)| {
        let seen = observed.get(key).unwrap_or(&Value::Null);
        at(place.member(key), key, member, seen)
    })
}

fn no_more(place: Place, sent: &Map<String, Value>, observed: &Map<String, Value>) -> bool {
    observed
        .iter()
        .all(|(key, member)| sent.contains_key(key) || place.member(key).is_empty(member))
}

fn items(place: Place, name: &str, sent: &[Value], observed: &[Value]) -> bool {
    let Some(pairs) = Pairs::of(name, sent, observed) else {
        return false;
    };
    sent.iter().enumerate().all(|(index, item)| {
        pairs
            .partner(index, item, observed)
            .is_some_and(|partner| at(place.item(), "", item, partner))
    })
}

fn leaf(place: Place, sent: &Value, observed: &Value) -> bool {
    if place.is_empty(sent) && place.is_empty(observed) {
        return true;
    }
    if place.is_amount()
        && let (Some(sent), Some(observed)) = (Quantity::of(sent), Quantity::of(observed))
    {
        return sent == observed;
    }
    match (sent, observed) {
        (Value::Number(sent), Value::Number(observed)) => canonical(sent) == canonical(observed),
        _ => sent == observed,
    }
}
