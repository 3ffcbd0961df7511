//! What a kube-apiserver 1.37.2 (with its limit ranger and a few controllers) made of what was applied to it.

use serde_json::{Value, json};

use crate::compare::{digest, matches, prepare};

struct Pair {
    sent: Value,
    observed: Value,
}

fn pairs() -> Vec<Pair> {
    let pairs: Vec<Value> = serde_json::from_str(include_str!("real.json")).unwrap();
    pairs
        .into_iter()
        .map(|mut pair| Pair {
            sent: sent(pair["sent"].take()),
            observed: pair["observed"].take(),
        })
        .collect()
}

fn sent(mut object: Value) -> Value {
    prepare(&mut object);
    object
}

fn pair(kind: &str) -> Pair {
    pairs().into_iter().find(|pair| pair.sent["kind"] == kind).unwrap()
}

/// The paths of all scalars, as JSON pointers.
fn scalars(value: &Value) -> Vec<String> {
    let below = |step: &str, inner: &Value| {
        scalars(inner)
            .into_iter()
            .map(|path| format!("/{step}{path}"))
            .collect::<Vec<_>>()
    };
    match value {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, member)| below(&key.replace('~', "~0").replace('/', "~1"), member))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, item)| below(&index.to_string(), item))
            .collect(),
        _ => vec![String::new()],
    }
}

fn change(value: &mut Value) {
    *value = match &*value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_f64().unwrap() + 1.0),
        Value::String(text) => json!(format!("{text}x")),
        other => json!([other]),
    };
}

#[test]
fn defaults_and_rewritten_quantities_are_quiet() {
    let pairs = pairs();
    assert_eq!(pairs.len(), 19);
    for Pair { sent, observed } in pairs {
        assert!(matches(&sent, &observed), "{} {sent} {observed}", sent["kind"]);
    }
}

#[test]
fn every_sent_scalar_counts() {
    for Pair { sent, observed } in pairs() {
        for path in scalars(&sent) {
            let mut other = sent.clone();
            change(other.pointer_mut(&path).unwrap());
            assert!(!matches(&other, &observed), "{} {path}", sent["kind"]);
        }
    }
}

#[test]
fn every_observed_scalar_at_a_sent_path_counts_and_no_other() {
    for Pair { sent, observed } in pairs() {
        let before = digest(&sent, &observed);
        for path in scalars(&observed) {
            let mut other = observed.clone();
            change(other.pointer_mut(&path).unwrap());
            let counts = sent.pointer(&path).is_some();
            assert_eq!(matches(&sent, &other), !counts, "{} {path}", sent["kind"]);
            assert_eq!(digest(&sent, &other) == before, !counts, "{} {path}", sent["kind"]);
        }
    }
}

#[test]
fn what_the_server_drops_or_fills_is_quiet_by_its_digest() {
    let Pair { mut sent, observed } = pair("Deployment");
    sent["spec"]["strategy"] = json!({});
    assert!(!matches(&sent, &observed));
    let mut sent = pair("Deployment").sent;
    sent["spec"]["template"]["spec"]["containers"][0]["volumeMounts"][1]["readOnly"] = json!(false);
    assert!(!matches(&sent, &observed));

    let answered = digest(&sent, &observed);
    let mut later = observed.clone();
    later["metadata"]["resourceVersion"] = json!("99999");
    later["status"] = json!({"replicas": 7});
    assert_eq!(digest(&sent, &later), answered);
    later["spec"]["template"]["spec"]["containers"][0]["volumeMounts"][1]["readOnly"] = json!(true);
    assert_ne!(digest(&sent, &later), answered);
}

#[test]
fn drift_in_what_the_server_takes_whole_is_seen() {
    let Pair { sent, observed } = pair("Service");
    let mut narrowed = observed.clone();
    narrowed["spec"]["selector"]["version"] = json!("2");
    assert!(!matches(&sent, &narrowed));
    let mut widened = observed;
    widened["spec"]["ports"]
        .as_array_mut()
        .unwrap()
        .push(json!({"port": 1}));
    assert!(!matches(&sent, &widened));

    let Pair { sent, mut observed } = pair("NetworkPolicy");
    observed["spec"]["ingress"][1] = json!({"from": [{"podSelector": {}}]});
    assert!(!matches(&sent, &observed), "a rule that allowed all now allows less");
}

#[test]
fn text_of_a_config_map_is_no_quantity() {
    let Pair { sent, mut observed } = pair("ConfigMap");
    assert_eq!(sent["data"]["cpu"], "1000m");
    observed["data"]["cpu"] = json!("1");
    assert!(!matches(&sent, &observed));
}
