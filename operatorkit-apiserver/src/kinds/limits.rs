//! What `LimitRange`s give to Pods and demand of them (`plugin/pkg/admission/limitranger`).

use serde_json::{Map, Value, json};

use super::edit;
use crate::validation::Quantity;

const TOLD: &str = "kubernetes.io/limit-ranger";

/// Gives the containers of a new Pod the requests and limits that they do not have.
pub fn default_pod(pod: &mut Value, range: &Value) {
    let mut told = Vec::new();
    for (list, name) in [("containers", "container"), ("initContainers", "init container")] {
        for container in edit::items_mut(pod, &["spec", list]) {
            told.extend(default_container(container, range, name));
        }
    }
    if !told.is_empty() {
        let text = format!("LimitRanger plugin set: {}", told.join("; "));
        edit::set(pod, &["metadata", "annotations", TOLD], text.into());
    }
}

fn default_container(container: &mut Value, range: &Value, what: &str) -> Vec<String> {
    let mut told = Vec::new();
    let limits = merge(container, range, "limits", "default");
    let requests = merge(container, range, "requests", "defaultRequest");
    let name = edit::text(container, &["name"]).to_owned();
    for (names, kind) in [(requests, "request"), (limits, "limit")] {
        if !names.is_empty() {
            told.push(format!("{} {kind} for {what} {name}", names.join(", ")));
        }
    }
    told
}

fn merge(container: &mut Value, range: &Value, field: &str, default: &str) -> Vec<String> {
    let mut set = Vec::new();
    for limit in limits(range, "Container") {
        for (name, value) in limit[default].as_object().into_iter().flatten() {
            if edit::get(container, &["resources", field, name]).is_null() {
                edit::set(container, &["resources", field, name], value.clone());
                set.push(name.clone());
            }
        }
    }
    set.sort();
    set
}

/// What a `LimitRange` has against a Pod: nothing, or why.
pub fn refuse_pod(pod: &Value, range: &Value) -> Option<String> {
    let containers = || {
        let lists = ["containers", "initContainers"].into_iter();
        lists.flat_map(|list| pod["spec"][list].as_array().into_iter().flatten())
    };
    let mut errors = Vec::new();
    for limit in limits(range, "Container") {
        for container in containers() {
            let of = |field: &str| container["resources"][field].as_object().cloned().unwrap_or_default();
            check(limit, "Container", &of("requests"), &of("limits"), &mut errors);
        }
    }
    for limit in limits(range, "Pod") {
        check(limit, "Pod", &sum(pod, "requests"), &sum(pod, "limits"), &mut errors);
    }
    joined(errors)
}

/// What a `LimitRange` has against a claim: nothing, or why.
pub fn refuse_claim(claim: &Value, range: &Value) -> Option<String> {
    let mut errors = Vec::new();
    let requests = claim["spec"]["resources"]["requests"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    for limit in limits(range, "PersistentVolumeClaim") {
        for (name, least) in entries(limit, "min") {
            errors.extend(minimum("PersistentVolumeClaim", name, least, &requests, &Map::new()));
        }
        for (name, most) in entries(limit, "max") {
            errors.extend(maximum("PersistentVolumeClaim", name, most, &requests, "request"));
        }
    }
    joined(errors)
}

fn check(
    limit: &Value,
    type_: &str,
    requests: &Map<String, Value>,
    limits: &Map<String, Value>,
    errors: &mut Vec<String>,
) {
    for (name, least) in entries(limit, "min") {
        errors.extend(minimum(type_, name, least, requests, limits));
    }
    for (name, most) in entries(limit, "max") {
        let over = maximum(type_, name, most, limits, "limit");
        let over = over.or_else(|| {
            requests
                .contains_key(name)
                .then(|| maximum(type_, name, most, requests, "request"))?
        });
        errors.extend(over);
    }
    for (name, ratio) in entries(limit, "maxLimitRequestRatio") {
        errors.extend(over_ratio(type_, name, ratio, requests, limits));
    }
}

fn minimum(
    type_: &str,
    name: &str,
    least: &Value,
    requests: &Map<String, Value>,
    limits: &Map<String, Value>,
) -> Option<String> {
    let says = format!("minimum {name} usage per {type_} is {}", shown(least));
    let Some(request) = requests.get(name) else {
        return Some(format!("{says}.  No request is specified"));
    };
    let below = |value: &Value| Quantity::of(value).nanos() < Quantity::of(least).nanos();
    if below(request) {
        return Some(format!("{says}, but request is {}", shown(request)));
    }
    let limit = limits.get(name).filter(|limit| below(limit))?;
    Some(format!("{says}, but limit is {}", shown(limit)))
}

fn maximum(type_: &str, name: &str, most: &Value, given: &Map<String, Value>, what: &str) -> Option<String> {
    let says = format!("maximum {name} usage per {type_} is {}", shown(most));
    let Some(value) = given.get(name) else {
        return Some(format!("{says}.  No {what} is specified"));
    };
    let over = Quantity::of(value).nanos() > Quantity::of(most).nanos();
    over.then(|| format!("{says}, but {what} is {}", shown(value)))
}

fn over_ratio(
    type_: &str,
    name: &str,
    most: &Value,
    requests: &Map<String, Value>,
    limits: &Map<String, Value>,
) -> Option<String> {
    let says = format!("{name} max limit to request ratio per {type_} is {}", shown(most));
    let nanos = |of: &Map<String, Value>| of.get(name).map_or(0, |value| Quantity::of(value).nanos());
    let (request, limit) = (nanos(requests), nanos(limits));
    if request == 0 {
        return Some(format!("{says}, but no request is specified or request is 0"));
    }
    if limit == 0 {
        return Some(format!("{says}, but no limit is specified or limit is 0"));
    }
    #[allow(clippy::cast_precision_loss)] // The real server compares these as floating-point numbers.
    let (ratio, most) = (limit as f64 / request as f64, Quantity::of(most).nanos() as f64 / 1e9);
    (ratio > most).then(|| format!("{says}, but provided ratio is {ratio:.6}"))
}

/// The sum over the containers; init containers run one after another, so the greatest of them counts.
fn sum(pod: &Value, field: &str) -> Map<String, Value> {
    let mut sums: Map<String, Value> = Map::new();
    for container in pod["spec"]["containers"].as_array().into_iter().flatten() {
        for (name, value) in container["resources"][field].as_object().into_iter().flatten() {
            let sum = sums.entry(name.clone()).or_insert_with(|| json!("0"));
            *sum = Quantity::of(sum).plus(&Quantity::of(value)).as_str().into();
        }
    }
    for container in pod["spec"]["initContainers"].as_array().into_iter().flatten() {
        for (name, value) in container["resources"][field].as_object().into_iter().flatten() {
            let sum = sums.entry(name.clone()).or_insert_with(|| value.clone());
            if Quantity::of(value).nanos() > Quantity::of(sum).nanos() {
                *sum = value.clone();
            }
        }
    }
    sums
}

fn limits<'a>(range: &'a Value, type_: &'a str) -> impl Iterator<Item = &'a Value> {
    let all = range["spec"]["limits"].as_array().into_iter().flatten();
    all.filter(move |limit| limit["type"] == type_)
}

fn entries<'a>(limit: &'a Value, field: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    limit[field].as_object().into_iter().flatten()
}

fn shown(value: &Value) -> String {
    Quantity::of(value).as_str().to_owned()
}

fn joined(mut errors: Vec<String>) -> Option<String> {
    match errors.len() {
        0 => None,
        1 => errors.pop(),
        _ => Some(format!("[{}]", errors.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{default_pod, refuse_claim, refuse_pod};

    fn range() -> serde_json::Value {
        json!({ "spec": { "limits": [
            { "type": "Container", "default": { "cpu": "1" }, "defaultRequest": { "cpu": "500m" },
              "min": { "cpu": "100m" }, "max": { "cpu": "2" }, "maxLimitRequestRatio": { "cpu": "3" } },
            { "type": "Pod", "max": { "cpu": "3" } },
            { "type": "PersistentVolumeClaim", "min": { "storage": "1Gi" }, "max": { "storage": "2Gi" } },
        ] } })
    }

    fn pod(containers: serde_json::Value) -> serde_json::Value {
        let mut pod = json!({ "spec": {} });
        pod["spec"]["containers"] = containers;
        pod
    }

    #[test]
    fn containers_get_what_they_do_not_have() {
        let mut pod = pod(json!([{ "name": "c" }, { "name": "d", "resources": { "limits": { "cpu": "2" } } }]));
        default_pod(&mut pod, &range());
        assert_eq!(
            pod["spec"]["containers"][0]["resources"],
            json!({ "limits": { "cpu": "1" }, "requests": { "cpu": "500m" } })
        );
        assert_eq!(
            pod["spec"]["containers"][1]["resources"],
            json!({ "limits": { "cpu": "2" }, "requests": { "cpu": "500m" } })
        );
        let told = "LimitRanger plugin set: cpu request for container c; cpu limit for container c; cpu request for container d";
        assert_eq!(pod["metadata"]["annotations"]["kubernetes.io/limit-ranger"], told);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let of = |requests: &str, limits: &str| {
            let resources = json!({ "requests": { "cpu": requests }, "limits": { "cpu": limits } });
            refuse_pod(&pod(json!([{ "name": "c", "resources": resources }])), &range())
        };
        assert_eq!(of("1", "2"), None);
        assert_eq!(
            of("10m", "20m").unwrap(),
            "minimum cpu usage per Container is 100m, but request is 10m"
        );
        assert_eq!(
            of("1", "3").unwrap(),
            "maximum cpu usage per Container is 2, but limit is 3"
        );
        let ratio = "cpu max limit to request ratio per Container is 3, but provided ratio is 4.000000";
        assert_eq!(of("500m", "2").unwrap(), ratio);
    }

    #[test]
    fn the_containers_of_a_pod_count_together() {
        let resources = json!({ "requests": { "cpu": "2" }, "limits": { "cpu": "2" } });
        let two = json!([{ "name": "c", "resources": resources }, { "name": "d", "resources": resources }]);
        let why = "maximum cpu usage per Pod is 3, but limit is 4";
        assert_eq!(refuse_pod(&pod(two), &range()).unwrap(), why);
    }

    #[test]
    fn claims_have_limits_too() {
        let claim = |size: &str| json!({ "spec": { "resources": { "requests": { "storage": size } } } });
        assert_eq!(refuse_claim(&claim("1Gi"), &range()), None);
        let why = "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi";
        assert_eq!(refuse_claim(&claim("3Gi"), &range()).unwrap(), why);
    }
}
