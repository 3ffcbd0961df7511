//! Properties over arbitrary JSON, with the keys that have a meaning among the others.

use proptest::{collection, prelude::*, sample};
use serde_json::{Map, Value, json};

use crate::compare::{digest, hash, matches, prepare};

const KEYS: [&str; 22] = [
    "a",
    "b",
    "c",
    "apiVersion",
    "kind",
    "metadata",
    "labels",
    "annotations",
    "data",
    "stringData",
    "selector",
    "limits",
    "requests",
    "default",
    "value",
    "target",
    "ports",
    "port",
    "containers",
    "env",
    "name",
    "status",
];

fn key() -> impl Strategy<Value = String> {
    sample::select(KEYS.to_vec()).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        (-3..3).prop_map(Value::from),
        sample::select(vec!["", "a", "b", "1", "1000m", "1k", "v1", "Secret", "TCP"]).prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ]
}

fn json() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 48, 5, |inner| {
        prop_oneof![
            2 => collection::btree_map(key(), inner.clone(), 0..5).prop_map(|map| Value::Object(map.into_iter().collect())),
            1 => collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

/// Two values that have much in common.
fn alike() -> impl Strategy<Value = (Value, Value)> {
    (json(), any::<u64>(), json()).prop_map(|(one, seed, other)| {
        let mut changed = one.clone();
        let at = usize::try_from(seed % 64).unwrap_or_default();
        replace(&mut changed, &mut { at }, &other);
        (one, changed)
    })
}

/// Puts `by` in place of the value with this number, counted from the top.
fn replace(value: &mut Value, left: &mut usize, by: &Value) -> bool {
    if *left == 0 {
        *value = by.clone();
        return true;
    }
    *left -= 1;
    match value {
        Value::Object(map) => map.values_mut().any(|member| replace(member, left, by)),
        Value::Array(items) => items.iter_mut().any(|item| replace(item, left, by)),
        _ => false,
    }
}

/// Adds a member to every object that has one, but where the API takes it whole.
fn add_members(value: &mut Value) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter_mut()
                .filter(|(key, _)| *key != "selector")
                .for_each(|(_, member)| add_members(member));
            map.insert("added".into(), json!(["by", {"others": 1}]));
        }
        Value::Array(items) => items.iter_mut().for_each(add_members),
        _ => {}
    }
}

/// A value that differs from this scalar at any place: neither an amount nor empty.
fn other_than(scalar: &Value) -> Value {
    if *scalar == json!("other") {
        json!("another")
    } else {
        json!("other")
    }
}

fn change_leaf(value: &mut Value, left: &mut usize) -> bool {
    match value {
        Value::Object(map) => map.values_mut().any(|member| change_leaf(member, left)),
        Value::Array(items) => items.iter_mut().any(|item| change_leaf(item, left)),
        scalar if *left == 0 => {
            *scalar = other_than(scalar);
            true
        }
        _ => {
            *left -= 1;
            false
        }
    }
}

fn leaves(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.values().map(leaves).sum(),
        Value::Array(items) => items.iter().map(leaves).sum(),
        _ => 1,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_matches_itself(value in json()) {
        prop_assert!(matches(&value, &value));
    }

    #[test]
    fn what_others_add_is_not_looked_at(sent in json()) {
        let mut observed = sent.clone();
        add_members(&mut observed);
        prop_assert!(matches(&sent, &observed));
        prop_assert_eq!(digest(&sent, &sent), digest(&sent, &observed));
    }

    #[test]
    fn a_changed_scalar_is_seen(some in json(), which: sample::Index) {
        let observed = json!({"some": some, "scalar": 0});
        let count = leaves(&observed);
        let mut sent = observed.clone();
        change_leaf(&mut sent, &mut which.index(count));
        prop_assert!(!matches(&sent, &observed));
        prop_assert!(!matches(&observed, &sent));
        prop_assert_ne!(digest(&sent, &sent), digest(&sent, &observed));
        prop_assert_ne!(digest(&observed, &sent), digest(&observed, &observed));
    }

    /// What matches has the digest of what was sent, and the other way round: the two walks agree.
    #[test]
    fn the_digest_tells_what_matches((sent, observed) in alike()) {
        prop_assert_eq!(matches(&sent, &observed), digest(&sent, &sent) == digest(&sent, &observed));
    }

    #[test]
    fn any_two_values_can_be_compared(one in json(), other in json()) {
        matches(&one, &other);
        digest(&one, &other);
    }

    #[test]
    fn preparing_twice_changes_nothing_more(mut object in json()) {
        prepare(&mut object);
        let once = object.clone();
        prepare(&mut object);
        prop_assert_eq!(&object, &once);
        prop_assert_eq!(hash(&object), hash(&once));
    }

    #[test]
    fn the_hash_is_that_of_the_value(one in json(), other in json()) {
        let read: Value = serde_json::from_str(&one.to_string()).unwrap();
        prop_assert_eq!(hash(&read), hash(&one));
        prop_assert_eq!(one == other, hash(&one) == hash(&other));
    }

    #[test]
    fn the_hash_does_not_depend_on_the_order_of_insertion(members in collection::btree_map(key(), scalar(), 0..8)) {
        let forwards: Map<_, _> = members.clone().into_iter().collect();
        let backwards: Map<_, _> = members.into_iter().rev().collect();
        prop_assert_eq!(hash(&forwards.into()), hash(&backwards.into()));
    }
}

#[test]
fn deep_values_can_be_compared() {
    let deep = |leaf: Value| (0..500).fold(leaf, |inner, _| json!({"a": [inner]}));
    let (one, mut other) = (deep(json!(1)), deep(json!(2)));
    assert!(matches(&one, &one));
    assert!(!matches(&one, &other));
    assert_ne!(digest(&one, &one), digest(&one, &other));
    assert_ne!(hash(&one), hash(&other));
    prepare(&mut other);
    assert_eq!(other, deep(json!(2)));
}
