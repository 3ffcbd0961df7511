//! A graph as the name of its scenario, from which it is made again when a run is repeated.

use crate::graph::{Form, Place};

/// What all such names begin with.
const GRAPH: &str = "graph ";
const FORMS: [(Form, &str); 5] = [
    (Form::ConfigMap, "ConfigMap"),
    (Form::Secret, "Secret"),
    (Form::Service, "Service"),
    (Form::External, "External"),
    (Form::Step, "Step"),
];

/// `graph Secret:0/1:2-0:waits, Step:1/0:0-0`: what each is, its order and that of its deletion, how many children before and after the change.
pub(super) fn named<'a>(places: impl Iterator<Item = &'a Place>) -> String {
    let places: Vec<String> = places.map(word).collect();
    format!("{GRAPH}{}", places.join(", "))
}

fn word(place: &Place) -> String {
    let form = FORMS.iter().find(|(form, _)| *form == place.form).map_or("", |it| it.1);
    let [before, after] = place.children;
    let waits = if place.waits { ":waits" } else { "" };
    format!("{form}:{}/{}:{before}-{after}{waits}", place.order, place.delete_order)
}

/// The graph of a scenario; `None` if it is another one.
pub(super) fn read(name: &str) -> Option<Vec<Place>> {
    name.strip_prefix(GRAPH)?.split(", ").map(place).collect()
}

fn place(word: &str) -> Option<Place> {
    let mut parts = word.split(':');
    let name = parts.next()?;
    let (order, delete_order) = parts.next()?.split_once('/')?;
    let (before, after) = parts.next()?.split_once('-')?;
    Some(Place {
        form: FORMS.iter().find(|(_, known)| *known == name)?.0,
        order: order.parse().ok()?,
        delete_order: delete_order.parse().ok()?,
        children: [before.parse().ok()?, after.parse().ok()?],
        waits: parts.next().is_some(),
    })
}

#[test]
fn a_graph_is_read_from_its_name() {
    let name = "graph Secret:0/1:2-0:waits, Step:1/-1:0-0";
    let places = read(name).expect("a graph");
    assert_eq!(named(places.iter()), name);
    assert!(read("webapp").is_none());
}
