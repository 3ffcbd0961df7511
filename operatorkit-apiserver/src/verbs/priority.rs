//! The priority of a new Pod (the admission plugin `Priority`).

use serde_json::{Value, json};

use super::{call::Call, strategy};
use crate::failure::Failure;

/// Sets the priority of a Pod by its class, or by the class that is the default.
pub(crate) fn set(call: &Call, pod: &mut Value) -> Result<(), Failure> {
    let name = pod["spec"]["priorityClassName"].as_str().unwrap_or_default().to_owned();
    let class = find(call, &name);
    if class.is_none() && !name.is_empty() {
        return Err(refuse(
            call,
            pod,
            format!("no PriorityClass with name {name} was found"),
        ));
    }
    let class = class.unwrap_or_default();
    let priority = class["value"].as_i64().unwrap_or(0);
    let policy = class["preemptionPolicy"]
        .as_str()
        .unwrap_or("PreemptLowerPriority")
        .to_owned();
    if let Some(given) = pod["spec"]["priority"].as_i64().filter(|given| *given != priority) {
        let why = format!(
            "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller computed \
             {priority} from the given PriorityClass name"
        );
        return Err(refuse(call, pod, why));
    }
    if let Some(given) = pod["spec"]["preemptionPolicy"]
        .as_str()
        .filter(|given| *given != policy)
    {
        let why = format!(
            "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission controller \
             computed {policy} from the given PriorityClass name"
        );
        return Err(refuse(call, pod, why));
    }
    if let Some(default) = class["metadata"]["name"].as_str().filter(|_| name.is_empty()) {
        pod["spec"]["priorityClassName"] = default.into();
    }
    pod["spec"]["priority"] = json!(priority);
    pod["spec"]["preemptionPolicy"] = json!(policy);
    Ok(())
}

/// The class of this name; the default one without a name.
fn find(call: &Call, name: &str) -> Option<Value> {
    let catalog = call.core.registry.catalog();
    let served = catalog.preferred("scheduling.k8s.io", "priorityclasses")?;
    let classes = call.core.store.all(&served.table);
    let mut classes = classes.iter().map(|stored| strategy::show(served, stored));
    if !name.is_empty() {
        return classes.find(|class| class["metadata"]["name"] == name);
    }
    let defaults = classes.filter(|class| class["globalDefault"] == true);
    defaults.min_by_key(|class| class["value"].as_i64())
}

fn refuse(call: &Call, pod: &Value, why: String) -> Failure {
    Failure::forbidden(call.served.target(crate::object::name(pod)), why)
}
