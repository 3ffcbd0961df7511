//! What holds for any set, and any object that is applied.

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::apply::{FieldSet, OneVersion, Request, apply, update};

use super::{
    random::{anything, set, spec},
    schemas,
};

fn object(spec: &Value) -> Value {
    json!({ "apiVersion": "g/v1", "kind": "Thing", "metadata": { "name": "x" }, "spec": spec })
}

/// An apply configuration that has nothing but a name.
fn nothing() -> Value {
    json!({ "apiVersion": "g/v1", "kind": "Thing", "metadata": { "name": "x" } })
}

fn with_request<T>(manager: &str, second: i64, run: impl FnOnce(&Request<'_>) -> T) -> T {
    let (types, id) = schemas::thing();
    run(&Request {
        manager,
        api_version: "g/v1",
        kind: "Thing",
        subresource: "",
        now: Timestamp::from_second(second).unwrap(),
        schema: types.schema(id),
        versions: &OneVersion,
        reset: None,
        built_in: false,
    })
}

fn applied(live: Option<&Value>, applied: &Value, manager: &str, second: i64) -> Value {
    with_request(manager, second, |request| apply(live, applied, true, request).unwrap())
}

proptest! {
    #[test]
    fn sets_survive_json(set in set()) {
        prop_assert_eq!(FieldSet::from_fields_v1(&set.to_fields_v1()).unwrap(), set.clone());
        let text: Value = serde_json::from_str(&set.to_json()).unwrap();
        prop_assert_eq!(FieldSet::from_fields_v1(&text).unwrap(), set);
    }

    #[test]
    fn sets_are_sets(left in set(), right in set()) {
        let union = left.clone().union(&right);
        prop_assert_eq!(&union, &right.clone().union(&left));
        prop_assert_eq!(left.difference(&right).union(&left.intersection(&right)), left.clone());
        prop_assert!(left.difference(&left).is_empty());
        prop_assert_eq!(union.difference(&right), left.difference(&right));
        for path in left.paths() {
            prop_assert!(union.has(&path));
        }
    }

    #[test]
    fn an_apply_again_changes_nothing(live in spec(), first in spec()) {
        let live = applied(None, &object(&live), "other", 1);
        let once = applied(Some(&live), &object(&first), "me", 2);
        prop_assert_eq!(applied(Some(&once), &object(&first), "me", 3), once);
    }

    #[test]
    fn an_apply_of_nothing_removes_what_was_owned(first in spec(), second in spec()) {
        let once = applied(None, &object(&first), "me", 1);
        let twice = applied(Some(&once), &object(&second), "me", 2);
        let mut expected = object(&second);
        let mut got = twice.clone();
        for it in [&mut expected, &mut got] {
            it["metadata"] = Value::Null;
            simplify(it);
        }
        prop_assert_eq!(got, expected);
        prop_assert_eq!(applied(Some(&twice), &nothing(), "me", 3), nothing());
    }

    #[test]
    fn an_apply_leaves_what_others_own(theirs in spec(), mine in spec()) {
        let live = applied(None, &object(&theirs), "other", 1);
        let with = with_request("me", 2, |request| apply(Some(&live), &object(&mine), false, request));
        if let Ok(with) = with {
            let mut back = applied(Some(&with), &nothing(), "me", 3);
            let mut live = live;
            for it in [&mut back, &mut live] {
                it["metadata"].as_object_mut().unwrap().remove("managedFields");
                simplify(it);
            }
            prop_assert_eq!(back, live);
        }
    }

    #[test]
    fn anything_is_survived(live in prop::option::of(anything()), new in anything(), fields in anything()) {
        with_request("m", 1, |request| {
            let mut new = json!({ "apiVersion": "g/v1", "kind": "Thing", "metadata": { "managedFields": fields }, "spec": new });
            let live = live.map(|it| object(&it));
            update(live.as_ref(), &mut new, request);
            let _ = apply(live.as_ref(), &new, false, request);
            new["metadata"].as_object_mut().unwrap().remove("managedFields");
            let _ = apply(live.as_ref(), &new, true, request);
        });
    }
}

/// Lists in one order: that of items with keys is not what is looked at here. And null for what is empty: what is applied
/// empty and was not, the real server leaves as null.
fn simplify(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(simplify);
            items.sort_by_key(ToString::to_string);
        }
        Value::Object(fields) => {
            fields.values_mut().for_each(simplify);
            if fields.is_empty() {
                *value = Value::Null;
            }
        }
        _ => {}
    }
}
