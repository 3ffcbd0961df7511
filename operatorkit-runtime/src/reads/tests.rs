//! What is known of what is read, and who is told of it.

use std::{any::TypeId, collections::BTreeMap, collections::HashSet, sync::Arc};

use k8s_openapi::api::core::v1::Secret;
use kube::core::Selector;
use tokio_util::sync::CancellationToken;

use super::{
    key::{Interest, Key, ListKey, PlaceKey},
    place::{Body, Object, Place, Standing},
    table::{Asks, Table},
};
use crate::{cluster::Kind, queue::Uid, store::Version};

fn place() -> Place {
    Place::new(Arc::new(Kind::of::<Secret>()), CancellationToken::new())
}

fn place_key() -> PlaceKey {
    PlaceKey {
        type_: TypeId::of::<Secret>(),
        namespace: None,
    }
}

fn key(name: &str) -> Key {
    Key::new(Some("ns"), name)
}

fn named(name: &str) -> Interest {
    Interest::Object(place_key(), key(name))
}

fn red() -> ListKey {
    ListKey::new(None, Selector::from_iter([("app", "red")]))
}

fn at(version: u64) -> Version {
    Version::of(Some(&version.to_string()))
}

fn labels(app: &str) -> BTreeMap<String, String> {
    [("app".to_owned(), app.to_owned())].into()
}

fn body(version: u64) -> Body {
    let object: Object = Arc::new(Secret::default());
    let version = at(version);
    Body::Present { version, object }
}

fn uids(names: &[&str]) -> HashSet<Uid> {
    names.iter().map(|&name| name.into()).collect()
}

/// A place where `x` reads `key`, whose body is known.
fn read(version: u64) -> Place {
    let mut place = place();
    place.register(&named("key"), &"x".into());
    fetch(&mut place, "key", &body(version));
    place
}

fn fetch(place: &mut Place, name: &str, body: &Body) {
    let entry = place.entry(&key(name)).unwrap();
    let since = entry.fetching();
    assert!(entry.fetched(body, since));
}

#[test]
fn what_nobody_reads_is_dropped_as_it_arrives() {
    let mut place = read(5);
    place.begin();
    for n in 0..10_000 {
        assert!(place.seen(key(&format!("other-{n}")), at(6), &labels("red")).is_empty());
    }
    place.seen(key("key"), at(5), &labels("red"));
    let filled = place.filled();
    assert_eq!((filled.kept, filled.others), (1, 10_000));
    assert!(filled.woken.is_empty(), "nothing is new: {:?}", filled.woken);
    assert!(place.applied(&key("other-0"), at(7), &labels("red")).is_empty());
    assert!(place.deleted(&key("other-1"), at(8)).is_empty());
    assert_eq!(place.filled().kept, 1);
}

#[test]
fn a_change_is_told_once_and_only_if_it_is_news() {
    let mut place = read(5);
    assert!(
        place.applied(&key("key"), at(5), &labels("a")).is_empty(),
        "it is what was read"
    );
    assert!(
        place.applied(&key("key"), at(4), &labels("a")).is_empty(),
        "it is older"
    );
    assert_eq!(place.applied(&key("key"), at(6), &labels("a")), uids(&["x"]));
    assert!(place.entry(&key("key")).unwrap().body.is_none(), "the old body is gone");
    assert!(
        place.applied(&key("key"), at(7), &labels("a")).is_empty(),
        "nobody was given version 6"
    );
}

#[test]
fn an_answer_that_the_watch_has_overtaken_does_not_count() {
    let mut place = read(5);
    place.applied(&key("key"), at(6), &labels("a"));
    let since = place.entry(&key("key")).unwrap().fetching();
    place.applied(&key("key"), at(9), &labels("a"));
    let entry = place.entry(&key("key")).unwrap();
    assert!(!entry.fetched(&body(7), since), "older than what was shown");
    assert!(!entry.fetched(&Body::Absent, since), "it may have been made since");
    assert!(entry.fetched(&body(9), since));
}

#[test]
fn an_answer_from_before_a_deletion_does_not_count() {
    let mut place = place();
    place.register(&named("key"), &"x".into());
    let since = place.entry(&key("key")).unwrap().fetching();
    assert!(
        place.deleted(&key("key"), at(8)).is_empty(),
        "nobody was given anything"
    );
    let entry = place.entry(&key("key")).unwrap();
    assert!(!entry.fetched(&body(5), since));
    assert!(
        matches!(entry.body, Some(Body::Absent)),
        "the watch has shown that it is gone"
    );
    // A late word of the former life.
    assert!(place.applied(&key("key"), at(7), &labels("a")).is_empty());
    assert_eq!(
        place.applied(&key("key"), at(9), &labels("a")),
        uids(&["x"]),
        "it is back"
    );
}

#[test]
fn what_a_list_lacks_is_in_question() {
    let mut place = read(5);
    let since = place.entry(&key("key")).unwrap().fetching();
    place.begin();
    assert_eq!(place.filled().woken, uids(&["x"]));
    let entry = place.entry(&key("key")).unwrap();
    assert!(!entry.fetched(&body(6), since), "it may be from before the list");
    let since = entry.fetching();
    assert!(entry.fetched(&Body::Absent, since));
    place.begin();
    assert!(
        place.filled().woken.is_empty(),
        "what is known to be absent is not missed"
    );
}

#[test]
fn who_waits_for_the_watch_is_told_when_it_is_filled() {
    let mut place = place();
    let x: Uid = "x".into();
    assert!(matches!(place.standing(&x), Standing::Unknown));
    place.filled();
    assert!(matches!(place.standing(&x), Standing::Good));
}

#[test]
fn a_list_knows_who_is_in_it() {
    let mut place = place();
    place.register(&Interest::List(place_key(), red()), &"x".into());
    place.begin();
    place.seen(key("a"), at(1), &labels("red"));
    place.seen(key("b"), at(2), &labels("blue"));
    assert!(place.filled().woken.is_empty(), "nobody was given a list");
    assert_eq!(place.members(&red()), None, "it has to be found out");

    place.listing(&red());
    // `c` leaves and `d` comes while the list is under way.
    place.deleted(&key("c"), at(6));
    place.applied(&key("d"), at(7), &labels("red"));
    let object = || Arc::new(Secret::default()) as Object;
    let found = [(key("a"), at(1), object()), (key("c"), at(5), object())];
    assert_eq!(place.took_list(&red(), &found), Some(HashSet::new()));
    assert_eq!(place.members(&red()), Some(vec![key("a"), key("d")]));

    assert_eq!(
        place.applied(&key("b"), at(8), &labels("red")),
        uids(&["x"]),
        "it comes in"
    );
    assert_eq!(
        place.applied(&key("a"), at(9), &labels("blue")),
        uids(&["x"]),
        "it leaves"
    );
    assert!(
        place.applied(&key("a"), at(10), &labels("blue")).is_empty(),
        "it is out"
    );
    assert_eq!(place.members(&red()), Some(vec![key("b"), key("d")]));
}

#[test]
fn a_list_from_before_a_relist_does_not_count() {
    let mut place = place();
    place.register(&Interest::List(place_key(), red()), &"x".into());
    place.listing(&red());
    place.begin();
    place.filled();
    assert_eq!(place.took_list(&red(), &[]), None);
}

#[test]
fn a_list_that_shows_something_newer_tells_who_was_given_the_older() {
    let mut place = read(5);
    place.register(&Interest::List(place_key(), red()), &"y".into());
    place.listing(&red());
    let object = Arc::new(Secret::default()) as Object;
    assert_eq!(
        place.took_list(&red(), &[(key("key"), at(6), object)]),
        Some(uids(&["x"]))
    );
    assert!(
        place.applied(&key("key"), at(6), &labels("red")).is_empty(),
        "it was told"
    );
}

#[test]
fn reads_are_replaced_by_resource_and_let_go_with_the_object() {
    let mut table = Table::default();
    let uid: Uid = "x".into();
    let by = |resource| Asks { uid: &uid, resource };
    assert!(table.register(by("a"), &named("one"), place).is_some());
    assert!(
        table.register(by("a"), &named("two"), place).is_none(),
        "one place for both"
    );
    table.register(by("b"), &named("two"), place);
    let kept = |table: &mut Table| table.place(&place_key()).map(|place| place.filled().kept);
    assert_eq!(kept(&mut table), Some(2));
    // `a` has run and read `one`; `b` has not run.
    table.replace(&uid, [("a", [named("one")].into())].into());
    assert_eq!(kept(&mut table), Some(2), "`b` still reads `two`");
    table.replace(&uid, [("b", HashSet::new())].into());
    assert_eq!(kept(&mut table), Some(1));
    table.forget("x");
    assert_eq!(kept(&mut table), None, "the place is given up");
}
