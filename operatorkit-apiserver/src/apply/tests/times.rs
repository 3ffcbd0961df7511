//! A change of nothing but times is none.

use serde_json::{Value, json};

use crate::apply::keep_times;

fn object(time: &str, data: &str) -> Value {
    json!({ "metadata": { "name": "x", "managedFields": [{ "manager": "m", "time": time }] }, "data": data })
}

#[test]
fn equal_objects_keep_their_times() {
    let live = object("1", "a");
    let mut new = object("2", "a");
    keep_times(&live, &mut new);
    assert_eq!(new, live);
}

#[test]
fn changed_objects_do_not() {
    let live = object("1", "a");
    for changed in [
        object("2", "b"),
        json!({ "metadata": { "managedFields": [{ "manager": "n", "time": "2" }] } }),
    ] {
        let mut new = changed.clone();
        keep_times(&live, &mut new);
        assert_eq!(new, changed);
    }
}

#[test]
fn objects_without_entries_are_left_alone() {
    let live = json!({ "metadata": {} });
    let mut new = object("2", "a");
    keep_times(&live, &mut new);
    assert_eq!(new, object("2", "a"));
}
