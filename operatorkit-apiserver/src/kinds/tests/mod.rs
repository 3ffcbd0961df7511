//! What the real server said to good and bad objects, and what the strategies say to the same.
//!
//! A fixture is a kind: an object to create, an object that is there, and cases: a JSON patch of one of them, and the answer.

mod rules;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Strategy, edit,
    service::allocate::{self, Allocator},
    strategy,
};
use crate::validation::Errors;

#[derive(Deserialize)]
struct Fixture {
    group: String,
    resource: String,
    create_base: Value,
    update_base: Option<Value>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    verb: String,
    patch: json_patch::Patch,
    code: u16,
    #[serde(default)]
    causes: Vec<Value>,
    object: Option<Value>,
    #[serde(default)]
    warnings: Vec<String>,
    /// The patch brings parts that get defaults, which strategies do not give: only the errors are compared.
    #[serde(default)]
    needs_defaults: bool,
}

impl Case {
    /// The answer of the strategy: the object that is stored, or what is wrong; and the warnings.
    fn run(&self, fixture: &Fixture, strategy: &Strategy) -> (Value, Errors, Vec<String>) {
        if self.verb == "create" {
            let mut object = fixture.create_base.clone();
            json_patch::patch(&mut object, &self.patch).unwrap();
            edit::set(&mut object, &["metadata", "uid"], json!("uid"));
            strategy.default_fields(&mut object);
            strategy.admit_create(&mut object);
            if fixture.resource == "services"
                && let Err(errors) = allocate::on_create(&mut object, &mut allocator(fixture))
            {
                return (object, errors, Vec::new());
            }
            let errors = strategy.before_create(&mut object);
            let warnings = strategy.warnings(&object, None);
            return (object, errors, warnings);
        }
        let old = fixture.update_base.as_ref().unwrap();
        let mut new = old.clone();
        json_patch::patch(&mut new, &self.patch).unwrap();
        if edit::get(&new, &["metadata", "resourceVersion"]).is_null() && strategy.unconditional_update {
            edit::keep(&mut new, old, &["metadata", "resourceVersion"]);
        }
        strategy.default_fields(&mut new);
        if self.verb == "status" {
            let errors = strategy.before_status_update(&mut new, old);
            return (new, errors, Vec::new());
        }
        strategy.admit_update(&mut new);
        if fixture.resource == "services"
            && let Err(errors) = allocate::on_update(&mut new, old, &mut allocator(fixture))
        {
            return (new, errors, Vec::new());
        }
        let errors = strategy.before_update(&mut new, old);
        let warnings = strategy.warnings(&new, Some(old));
        (new, errors, warnings)
    }

    fn differences(&self, fixture: &Fixture, strategy: &Strategy) -> Option<String> {
        let (object, errors, warnings) = self.run(fixture, strategy);
        let mut causes: Vec<Value> = errors
            .iter()
            .map(|it| json!({"reason": it.reason, "field": it.field.as_str(), "message": it.body}))
            .collect();
        let mut expected = self.causes.clone();
        // What follows is the difference of Go structs.
        for cause in causes.iter_mut().chain(&mut expected) {
            let message = cause["message"].as_str().unwrap_or_default();
            cause["message"] = message.split('\n').next().into();
        }
        causes = causes.iter().map(without_uids).collect();
        expected = expected.iter().map(without_uids).collect();
        // Where the real server goes by a map, its order is random.
        causes.sort_by_key(Value::to_string);
        expected.sort_by_key(Value::to_string);
        if causes != expected && without_structs(&causes) != without_structs(&expected) {
            return Some(format!(
                "causes\n   ours {}\n   real {}",
                json!(causes),
                json!(expected)
            ));
        }
        let real = self.object.as_ref()?;
        if self.needs_defaults {
            return None;
        }
        let ours = without_uids(&without_system_fields(object));
        if ours != without_uids(&without_system_fields(real.clone())) {
            return Some(format!("object\n   ours {ours}\n   real {real}"));
        }
        (warnings != self.warnings).then(|| format!("warnings\n   ours {warnings:?}\n   real {:?}", self.warnings))
    }
}

/// UIDs are random.
fn without_uids(value: &Value) -> Value {
    let uid = regex::Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap();
    serde_json::from_str(&uid.replace_all(&value.to_string(), "uid")).unwrap()
}

/// Where the real server shows an object in the form of its Go structs, only what it says of it is compared.
fn without_structs(causes: &[Value]) -> Vec<String> {
    let without = |cause: &Value| {
        let message = cause["message"].as_str().unwrap_or_default();
        let (head, tail) = (
            message.split('{').next().unwrap_or_default(),
            message.rsplit(": ").next().unwrap_or_default(),
        );
        format!("{} {} {head} {tail}", cause["reason"], cause["field"])
    };
    let mut all: Vec<_> = causes.iter().map(without).collect();
    all.sort();
    all
}

fn without_system_fields(mut object: Value) -> Value {
    for name in [
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "generation",
        "managedFields",
    ] {
        edit::remove(&mut object, &["metadata", name]);
    }
    edit::remove(&mut object, &["status", "lastPhaseTransitionTime"]);
    // What is empty is for the decoder to drop.
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, it| !it.is_null() && *it != json!([]));
    }
    // A dry run of the real server gives the first address of the range, and any port.
    for name in ["clusterIP", "clusterIPs", "healthCheckNodePort"] {
        if object["spec"]
            .get(name)
            .is_some_and(|it| it.to_string().contains(char::is_numeric))
        {
            edit::remove(&mut object, &["spec", name]);
        }
    }
    if object["kind"] == "Service" {
        edit::items_mut(&mut object, &["spec", "ports"]).for_each(|it| {
            edit::remove(it, &["nodePort"]);
        });
    }
    object
}

fn allocator(fixture: &Fixture) -> Allocator {
    let mut allocator = Allocator::new([10, 0, 0, 0].into(), 16);
    fixture.update_base.iter().for_each(|it| allocator.adopt(it));
    allocator
}

fn check(name: &str, text: &str) {
    let fixture: Fixture = serde_json::from_str(text).unwrap();
    let strategy = strategy(&fixture.group, &fixture.resource).expect("a strategy");
    let known = |case: &&Case| matches!(case.code, 200 | 201 | 422);
    let wrong: Vec<_> = fixture
        .cases
        .iter()
        .filter(known)
        .filter_map(|it| {
            Some(format!(
                "{} {}: {}",
                it.verb,
                it.name,
                it.differences(&fixture, strategy)?
            ))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{name}: {} of {}\n{}",
        wrong.len(),
        fixture.cases.len(),
        wrong.join("\n")
    );
}

macro_rules! fixtures {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), include_str!(concat!("fixtures/", stringify!($name), ".json")));
        })*
    };
}

fixtures!(
    admissionregistration_mutatingwebhookconfigurations,
    admissionregistration_validatingwebhookconfigurations,
    apps_controllerrevisions,
    apps_daemonsets,
    apps_deployments,
    apps_replicasets,
    apps_statefulsets,
    autoscaling_horizontalpodautoscalers,
    batch_cronjobs,
    batch_jobs,
    configmaps,
    configmaps_immutable,
    coordination_leases,
    discovery_endpointslices,
    endpoints,
    events,
    limitranges,
    namespaces,
    networking_ingressclasses,
    networking_ingresses,
    networking_networkpolicies,
    node_runtimeclasses,
    nodes,
    persistentvolumeclaims,
    persistentvolumes,
    pods,
    podtemplates,
    policy_poddisruptionbudgets,
    rbac_clusterrolebindings,
    rbac_clusterroles,
    rbac_rolebindings,
    rbac_roles,
    replicationcontrollers,
    resourcequotas,
    scheduling_priorityclasses,
    secrets,
    secrets_immutable,
    serviceaccounts,
    services,
    storage_storageclasses
);
