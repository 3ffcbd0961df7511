//! What is there when all is quiet, without what differs from run to run.

use std::collections::{BTreeMap, BTreeSet};

use operatorkit_apiserver::ApiServer;
use serde_json::{Map, Value};

use super::{
    judge::Judge,
    outside::{Outside, Thing},
};

/// What is there, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ending {
    all: BTreeMap<String, Value>,
    /// What the operator has left behind, on purpose.
    kept: BTreeSet<String>,
}

/// Fields of `metadata` that depend on the way.
const OF_THE_WAY: [&str; 6] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
];

/// Fields of a status that depend on the way, wherever they are.
const TIMES: [&str; 6] = [
    "lastTransitionTime",
    "lastUpdateTime",
    "lastProbeTime",
    "observedGeneration",
    "since",
    "startTime",
];

impl Ending {
    /// What there is of what concerns the operator, and of what is outside.
    pub(super) fn of(server: &ApiServer, outside: &dyn Outside, judge: &Judge) -> Self {
        let objects = server.objects();
        let things = numbered(outside.things());
        let uids = objects.iter().map(|it| {
            let metadata = &it.object["metadata"];
            let name = format!("{}/{}", text(&it.object["kind"]), text(&metadata["name"]));
            (text(&metadata["uid"]).to_owned(), name)
        });
        let ids = things.iter().map(|(name, thing)| (thing.id.clone(), name.clone()));
        let varying = outside.varying().into_iter().map(|text| (text, "…".to_owned()));
        let known = uids.chain(ids).chain(varying);
        let mut names: Names = known.filter(|(name, _)| !name.is_empty()).collect();
        // One may be the beginning of another.
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut ending = Self::default();
        for it in objects.iter().filter(|it| judge.concerns(it)) {
            let metadata = &it.object["metadata"];
            let [namespace, name] = ["namespace", "name"].map(|key| text(&metadata[key]));
            let place = format!("{} {namespace}/{name}", it.resource);
            ending.add(place, normal(&it.object, &names), judge.is_released(it));
        }
        for (name, thing) in &things {
            ending.add(name.clone(), thing.content.clone(), judge.is_kept(thing));
        }
        ending
    }

    fn add(&mut self, name: String, value: Value, kept: bool) {
        if kept {
            self.kept.insert(name.clone());
        }
        self.all.insert(name, value);
    }

    /// The differences to another one, a line each. Where somebody else `acts`, what is kept is as it was at the time when it was left behind,
    /// if it was there then.
    pub(super) fn differences(&self, expected: &Self, acts: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let counts = |name: &str| !acts || !self.kept.contains(name) && !expected.kept.contains(name);
        for (name, value) in expected.all.iter().filter(|(name, _)| counts(name)) {
            match self.all.get(name) {
                None => lines.push(format!("{name} is missing")),
                Some(found) => {
                    let mut found_here = Vec::new();
                    differ(name, found, value, &mut found_here);
                    lines.extend(found_here.into_iter().map(|it| it.told(name)));
                }
            }
        }
        let more = self
            .all
            .keys()
            .filter(|name| !expected.all.contains_key(*name) && counts(name));
        lines.extend(more.map(|name| format!("{name} should not be there")));
        lines
    }
}

/// Things by names that do not depend on the way: their kinds, and a number where there are several of one.
fn numbered(things: Vec<Thing>) -> Vec<(String, Thing)> {
    let mut numbers = BTreeMap::<String, u32>::new();
    let named = things.into_iter().map(|thing| {
        let kind = thing.id.rsplit_once('-').map_or(&*thing.id, |(kind, _)| kind);
        let number = numbers.entry(kind.to_owned()).or_default();
        let name = format!("outside/{kind}/{number}");
        *number += 1;
        (name, thing)
    });
    named.collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A field that is not as it should be.
struct Difference {
    at: String,
    found: Value,
    expected: Value,
}

impl Difference {
    /// In words; without the values where they are those of a Secret.
    fn told(&self, name: &str) -> String {
        let Self { at, found, expected } = self;
        if name.starts_with("secrets ") {
            format!("{at} is not as expected (what a Secret holds is not shown)")
        } else {
            format!("{at} is {found}, not {expected}")
        }
    }
}

fn differ(at: &str, found: &Value, expected: &Value, all: &mut Vec<Difference>) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys = found
                .keys()
                .chain(expected.keys().filter(|key| !found.contains_key(*key)));
            for key in keys {
                let of = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or_default();
                differ(&format!("{at}.{key}"), &of(found), &of(expected), all);
            }
        }
        (found, expected) if found != expected => all.push(Difference {
            at: at.to_owned(),
            found: found.clone(),
            expected: expected.clone(),
        }),
        _ => {}
    }
}

fn normal(object: &Value, names: &Names) -> Value {
    let mut object = said(object).unwrap_or_else(|| object.clone());
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.retain(|key, _| !OF_THE_WAY.contains(&&**key));
        if let Some(hash) = metadata
            .get_mut("annotations")
            .and_then(|all| all.get_mut("operatorkit.dev/hash"))
        {
            // It is over what holds the owner's UID.
            *hash = "…".into();
        }
        // An empty map is as good as none.
        metadata.retain(|_, value| value.as_object().is_none_or(|map| !map.is_empty()));
    }
    if let Some(conditions) = object["status"]["conditions"].as_array_mut() {
        // That it was paused once does not count.
        conditions.retain(|it| it["type"] != "Paused" || it["status"] != "False");
    }
    symbolic(&mut object, names);
    object
}

/// What the operator has said of a child by server-side apply; what others have made of it is their business. `None` if it is no such child.
fn said(object: &Value) -> Option<Value> {
    let managers = object["metadata"]["managedFields"].as_array()?;
    let applied = managers.iter().find(|it| {
        it["operation"] == "Apply"
            && text(&it["manager"]).starts_with("operatorkit.dev/")
            && it["subresource"].is_null()
    })?;
    let mut said = owned(object, &applied["fieldsV1"]);
    for key in ["apiVersion", "kind"] {
        said[key] = object[key].clone();
    }
    Some(said)
}

/// The part of a value that a set of fields names, as `fieldsV1` writes it. A list is whole: its items are named by their keys.
fn owned(value: &Value, fields: &Value) -> Value {
    let (Value::Object(map), Some(fields)) = (value, fields.as_object()) else {
        return value.clone();
    };
    let named = fields.iter().filter_map(|(field, below)| {
        let name = field.strip_prefix("f:")?;
        let value = map.get(name)?;
        let leaf = below.as_object().is_none_or(Map::is_empty);
        let part = if leaf { value.clone() } else { owned(value, below) };
        Some((name.to_owned(), part))
    });
    Value::Object(named.collect())
}

/// What is drawn by lot, and what stands for it; the longest first.
type Names = Vec<(String, String)>;

/// Names instead of what is drawn by lot, UIDs and ids, and no times.
fn symbolic(value: &mut Value, names: &Names) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !TIMES.contains(&&**key));
            map.values_mut().for_each(|value| symbolic(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| symbolic(value, names)),
        Value::String(text) => {
            for (drawn, name) in names {
                if text.contains(&**drawn) {
                    *text = text.replace(drawn, name);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_secret_holds_is_not_told() {
        let ending = |place: &str, data: &str| {
            let mut ending = Ending::default();
            ending.add(place.to_owned(), json!({ "data": { "key": data } }), false);
            ending
        };
        let differences = |place| ending(place, "hunter2").differences(&ending(place, "tr0ub4dor"), false);
        let said = differences("secrets default/x").concat();
        assert!(said.contains("secrets default/x.data.key"), "{said}");
        assert!(!said.contains("hunter2") && !said.contains("tr0ub4dor"), "{said}");
        assert_eq!(
            differences("configmaps default/x"),
            [r#"configmaps default/x.data.key is "hunter2", not "tr0ub4dor""#]
        );
    }
}
