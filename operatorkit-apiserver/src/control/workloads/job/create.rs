//! The Pods that a Job makes.

use serde_json::{Value, json};

use super::pods::{FAILURES, FINALIZER, INDEX, failures};
use super::{COMPONENT, Controller};
use crate::control::workloads::action::{Event, Verb};
use crate::control::workloads::owner::name;
use crate::control::workloads::template::{self, set_metadata};
use crate::read::{items, text};

impl Controller<'_> {
    /// Makes a Pod; for an index, with what the last Pod of it says.
    pub(super) fn create(&mut self, index: Option<(i64, Option<&Value>)>) {
        let mut pod = template::pod(&self.job["spec"]["template"], self.job);
        let mut finalizers = items(&pod, "/metadata/finalizers").to_vec();
        if !finalizers.contains(&json!(FINALIZER)) {
            finalizers.push(json!(FINALIZER));
        }
        pod["metadata"]["finalizers"] = Value::Array(finalizers);
        if let Some((index, before)) = index {
            self.set_index(&mut pod, index, before);
        }
        let told = Event::normal(
            self.job,
            COMPONENT,
            "SuccessfulCreate",
            "Created pod: {name}".to_owned(),
        );
        self.plan.push_told(Verb::Create(pod), told);
        self.active_count += 1;
    }

    fn set_index(&self, pod: &mut Value, index: i64, before: Option<&Value>) {
        let number = index.to_string();
        set_metadata(pod, "annotations", INDEX, &number);
        set_metadata(pod, "labels", INDEX, &number);
        if self.has_limit_per_index() {
            let failures = before.map_or(0, |before| failures(before) + 1);
            set_metadata(pod, "annotations", FAILURES, &failures.to_string());
        }
        let suffix = format!("-{index}-");
        let prefix: String = name(self.job)
            .chars()
            .take(58_usize.saturating_sub(suffix.len()))
            .collect();
        pod["metadata"]["generateName"] = json!(format!("{prefix}{suffix}"));
        pod["spec"]["hostname"] = json!(format!("{}-{index}", name(self.job)));
        for containers in ["initContainers", "containers"] {
            for container in pod["spec"]
                .get_mut(containers)
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                add_index(container);
            }
        }
    }
}

/// Lets a container know its index.
fn add_index(container: &mut Value) {
    const VARIABLE: &str = "JOB_COMPLETION_INDEX";
    let mut variables = items(container, "/env").to_vec();
    if variables.iter().all(|variable| text(variable, "/name") != VARIABLE) {
        let field = json!({ "fieldRef": { "fieldPath": format!("metadata.labels['{INDEX}']") } });
        variables.push(json!({ "name": VARIABLE, "valueFrom": field }));
        container["env"] = Value::Array(variables);
    }
}
