//! Which item of a sent list belongs to which item of an observed one.

use serde_json::Value;

/// Lists that the Kubernetes API keeps as maps and whose order has no meaning, with their keys; the first set that
/// the items have counts. Not `initContainers`: they run in order.
const MAPS: [(&str, &[&[&str]]); 14] = [
    ("conditions", &[&["type"]]),
    ("containers", &[&["name"]]),
    ("env", &[&["name"]]),
    ("hostAliases", &[&["ip"]]),
    ("imagePullSecrets", &[&["name"]]),
    ("matchConditions", &[&["name"]]),
    ("ownerReferences", &[&["uid"]]),
    ("ports", &[&["containerPort", "protocol"], &["port", "protocol"]]),
    ("secrets", &[&["name"]]),
    ("topologySpreadConstraints", &[&["topologyKey", "whenUnsatisfiable"]]),
    ("volumeDevices", &[&["devicePath"]]),
    ("volumeMounts", &[&["mountPath"]]),
    ("volumes", &[&["name"]]),
    ("webhooks", &[&["name"]]),
];

/// How the items of two lists of the same length belong together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pairs {
    InOrder,
    ByKey(&'static [&'static str]),
}

impl Pairs {
    /// How the items of the list called `name` belong together; `None` if the lists differ in length.
    pub(super) fn of(name: &str, sent: &[Value], observed: &[Value]) -> Option<Self> {
        if sent.len() != observed.len() {
            return None;
        }
        let keys = keys(name, sent).filter(|keys| {
            // Nearly always the order is the same, and nothing needs to be searched.
            let moved = sent
                .iter()
                .zip(observed)
                .any(|(one, other)| !same_key(keys, one, other));
            moved
                && sent
                    .iter()
                    .all(|item| count(keys, sent, item) == 1 && count(keys, observed, item) == 1)
        });
        Some(keys.map_or(Self::InOrder, Self::ByKey))
    }

    /// The partner of the sent item at `index`.
    pub(super) fn partner<'a>(self, index: usize, item: &Value, observed: &'a [Value]) -> Option<&'a Value> {
        match self {
            Self::InOrder => observed.get(index),
            Self::ByKey(keys) => observed.iter().find(|other| same_key(keys, item, other)),
        }
    }
}

fn keys(name: &str, items: &[Value]) -> Option<&'static [&'static str]> {
    let (_, sets) = MAPS.iter().find(|(list, _)| *list == name)?;
    sets.iter()
        .copied()
        .find(|keys| items.iter().all(|item| same_key(keys, item, item)))
}

fn count(keys: &[&str], items: &[Value], wanted: &Value) -> usize {
    items.iter().filter(|item| same_key(keys, wanted, item)).count()
}

fn same_key(keys: &[&str], one: &Value, other: &Value) -> bool {
    keys.iter()
        .all(|key| part(one, key).is_some_and(|part_of_one| Some(part_of_one) == part(other, key)))
}

/// One part of an item's key; the API's only default among them is a port's protocol.
fn part<'a>(item: &'a Value, key: &str) -> Option<Part<'a>> {
    match item.get(key) {
        Some(value) => Some(Part::Given(value)),
        None if key == "protocol" && item.is_object() => Some(Part::Tcp),
        None => None,
    }
}

#[derive(Clone, Copy)]
enum Part<'a> {
    Given(&'a Value),
    Tcp,
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Part::Given(one), Part::Given(other)) => one == other,
            (Part::Given(value), Part::Tcp) | (Part::Tcp, Part::Given(value)) => *value == "TCP",
            (Part::Tcp, Part::Tcp) => true,
        }
    }
}
