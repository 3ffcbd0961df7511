//! Random sets and objects.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::apply::{FieldSet, PathElement};

pub(super) fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        (-1e6..1e6).prop_map(|it: f64| json!((it * 4.0).round() / 4.0)),
        "[ -~é<>&\u{2028}]{0,4}".prop_map(Value::from),
    ]
}

pub(super) fn element() -> impl Strategy<Value = PathElement> {
    prop_oneof![
        "[ -~é]{0,4}".prop_map(|it| PathElement::Field(it.into())),
        prop::collection::btree_map("[a-c\"]{1,2}", scalar(), 1..3)
            .prop_map(|it| { PathElement::key(it.into_iter().map(|(name, value)| (name.into(), value)).collect()) }),
        scalar().prop_map(PathElement::Value),
        (0_i64..20).prop_map(PathElement::Index),
    ]
}

pub(super) fn set() -> impl Strategy<Value = FieldSet> {
    prop::collection::vec(prop::collection::vec(element(), 1..4), 0..8).prop_map(|paths| {
        let mut set = FieldSet::new();
        paths.iter().for_each(|it| set.insert(it));
        set
    })
}

pub(super) fn name() -> impl Strategy<Value = String> {
    "[a-d]"
}

pub(super) fn spec() -> impl Strategy<Value = Value> {
    let items = prop::collection::btree_map(name(), prop::option::of(0..3), 0..4).prop_shuffle_items();
    let strings = || prop::collection::btree_map(name(), "[xy]", 0..3);
    let open = prop::collection::btree_map(name(), prop_oneof![scalar(), strings().prop_map(|it| json!(it))], 0..3);
    let set = prop::collection::btree_set(name(), 0..4)
        .prop_map(Vec::from_iter)
        .prop_shuffle();
    (
        prop::option::of(0_i32..3),
        items,
        strings(),
        strings(),
        open,
        set,
        prop::option::of(0_i32..3),
    )
        .prop_map(|(replicas, items, labels, atoms, open, set, deep)| {
            let mut spec = json!({ "items": items, "labels": labels, "atoms": atoms, "open": open, "set": set });
            if let Some(replicas) = replicas {
                spec["replicas"] = replicas.into();
            }
            if let Some(deep) = deep {
                spec["place"] = json!({ "deep": { "z": deep } });
            }
            let fields = spec.as_object_mut().unwrap();
            fields.retain(|_, it| !it.as_array().is_some_and(Vec::is_empty) && *it != json!({}));
            spec
        })
}

/// Items in any order.
trait Items: Sized {
    fn prop_shuffle_items(self) -> BoxedStrategy<Value>;
}

impl<S: Strategy<Value = BTreeMap<String, Option<i32>>> + 'static> Items for S {
    fn prop_shuffle_items(self) -> BoxedStrategy<Value> {
        self.prop_map(|it| {
            let item = |(name, other): (String, Option<i32>)| match other {
                None => json!({ "name": name }),
                Some(other) => json!({ "name": name, "other": other }),
            };
            it.into_iter().map(item).collect::<Vec<_>>()
        })
        .prop_shuffle()
        .prop_map(Value::from)
        .boxed()
    }
}

pub(super) fn anything() -> impl Strategy<Value = Value> {
    let names = prop_oneof![
        "f:[a-c]",
        "k:\\{\"name\":\"a\"\\}",
        "v:1",
        "name",
        "items",
        "set",
        "open",
        "labels",
        "spec"
    ];
    let leaf = prop_oneof![Just(Value::Null), scalar()];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..4).prop_map(|it| json!(it)),
        ]
    })
}
