//! A graph as the name of its scenario, from which it is made again when a run is repeated.

use crate::graph::{Form, Next, Place};

/// What all such names begin with.
const GRAPH: &str = "graph ";
const FORMS: [(Form, &str); 6] = [
    (Form::ConfigMap, "ConfigMap"),
    (Form::Immutable, "Immutable"),
    (Form::Secret, "Secret"),
    (Form::Service, "Service"),
    (Form::External, "External"),
    (Form::Step, "Step"),
];
const WAITS: &str = "waits";
const KEEPS: &str = "keeps";
const LEAVES: &str = "leaves";
const COMES: &str = "comes";

/// `graph Secret:0/1:2-0:waits, Step:1/0:0-0:2/1`: what each is, its order and that of its deletion, how many children before and after the
/// change, and what is said of it besides; two orders there are those of the next version.
pub(super) fn named(places: &[Place]) -> String {
    let places: Vec<String> = places.iter().map(word).collect();
    format!("{GRAPH}{}", places.join(", "))
}

fn word(place: &Place) -> String {
    let form = FORMS.iter().find(|(form, _)| *form == place.form).map_or("", |it| it.1);
    let [before, after] = place.children;
    let mut word = format!("{form}:{}/{}:{before}-{after}", place.order, place.delete_order);
    let next = match place.next {
        Next::Stays => String::new(),
        Next::Moves(order, delete_order) => format!("{order}/{delete_order}"),
        Next::Leaves => LEAVES.to_owned(),
        Next::Comes => COMES.to_owned(),
    };
    let said = [(place.waits, WAITS), (place.keeps, KEEPS), (!next.is_empty(), &next)];
    for (_, more) in said.into_iter().filter(|(is_so, _)| *is_so) {
        word.push(':');
        word.push_str(more);
    }
    word
}

/// The graph of a scenario; `None` if it is another one.
pub(super) fn read(name: &str) -> Option<Vec<Place>> {
    name.strip_prefix(GRAPH)?.split(", ").map(place).collect()
}

fn place(word: &str) -> Option<Place> {
    let mut parts = word.split(':');
    let name = parts.next()?;
    let (order, delete_order) = orders(parts.next()?)?;
    let (before, after) = parts.next()?.split_once('-')?;
    let mut place = Place {
        form: FORMS.iter().find(|(_, known)| *known == name)?.0,
        order,
        delete_order,
        children: [before.parse().ok()?, after.parse().ok()?],
        waits: false,
        keeps: false,
        next: Next::Stays,
    };
    for more in parts {
        match more {
            WAITS => place.waits = true,
            KEEPS => place.keeps = true,
            LEAVES => place.next = Next::Leaves,
            COMES => place.next = Next::Comes,
            moved => {
                let (order, delete_order) = orders(moved)?;
                place.next = Next::Moves(order, delete_order);
            }
        }
    }
    Some(place)
}

fn orders(text: &str) -> Option<(i64, i64)> {
    let (order, delete_order) = text.split_once('/')?;
    Some((order.parse().ok()?, delete_order.parse().ok()?))
}

#[test]
fn a_graph_is_read_from_its_name() {
    let name = "graph Secret:0/1:2-0:waits:keeps:leaves, Step:1/-1:0-0, Immutable:0/0:1-1:2/-1, External:0/0:1-0:comes";
    let places = read(name).expect("a graph");
    assert_eq!(named(&places), name);
    assert!(read("webapp").is_none());
}
