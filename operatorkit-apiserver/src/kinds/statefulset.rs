//! `StatefulSet`.

use serde_json::{Value, json};

use super::{
    claim, edit,
    strategy::Strategy,
    workload::{
        at_most, collisions, immutable_selector, non_negative, required_selector, selected_template, template_defaults,
        template_warnings,
    },
};
use crate::validation::{At, Errors, names, number};

/// `StatefulSet`.
pub static STATEFUL_SET: Strategy = Strategy {
    names_on_update: true,
    name: names::label_name,
    status: true,
    initial_status: r#"{"availableReplicas":0,"replicas":0}"#,
    generation: &["spec"],
    defaults: |object| {
        template_defaults(object);
        edit::set_default(object, &["spec", "updateStrategy", "type"], json!("RollingUpdate"));
        if edit::text(object, &["spec", "updateStrategy", "type"]) == "RollingUpdate" {
            edit::set_default(
                object,
                &["spec", "updateStrategy", "rollingUpdate", "partition"],
                json!(0),
            );
        }
    },
    validate: stateful_set,
    validate_update: Some(update),
    validate_status: |new, old| {
        let status = At::root(new).get("status");
        let parts = [
            "readyReplicas",
            "currentReplicas",
            "updatedReplicas",
            "availableReplicas",
        ];
        let mut errors = non_negative(&status, &["replicas"]);
        errors.extend(non_negative(&status, &parts));
        errors.extend(non_negative(&status, &["observedGeneration", "collisionCount"]));
        errors.extend(at_most(&status, &parts, "replicas", "status.replicas"));
        errors.extend(at_most(
            &status,
            &["availableReplicas"],
            "readyReplicas",
            "status.readyReplicas",
        ));
        errors.extend(collisions(new, old));
        errors
    },
    warn: template_warnings,
    ..Strategy::NAMESPACED
};

fn stateful_set(object: &Value) -> Errors {
    let spec = At::root(object).get("spec");
    let mut errors = Errors::new();
    let policy = spec.get("podManagementPolicy");
    if policy.is_empty() {
        errors.push(policy.required(""));
    } else if !policy.is_any(&["OrderedReady", "Parallel"]) {
        errors.push(policy.invalid("must be 'OrderedReady' or 'Parallel'"));
    }
    errors.extend(strategy(&spec.get("updateStrategy")));
    let retention = spec.get("persistentVolumeClaimRetentionPolicy");
    for name in ["whenDeleted", "whenScaled"] {
        let at = retention.get(name);
        if retention.is_set() && !at.is_any(&["Retain", "Delete"]) {
            errors.push(at.not_supported(&["Retain", "Delete"]));
        }
    }
    let templates = spec.get("volumeClaimTemplates");
    errors.extend(templates.items().flat_map(|it| claim::claim_spec(&it.get("spec"))));
    errors.extend(non_negative(&spec, &["replicas", "minReadySeconds"]));
    errors.extend(number::non_negative(&spec.get("ordinals").get("start")));
    let service = spec.get("serviceName");
    if !service.is_empty() {
        errors.extend(service.all_invalid(names::dns_label(service.text())));
    }
    errors.extend(required_selector(&spec.get("selector"), "statefulset"));
    let claims = with_claims(spec.value);
    errors.extend(selected_template(&spec.with(&claims), "StatefulSet", ""));
    errors
}

/// The spec as its pods are: the claims are volumes, and host name and subdomain are set by the controller.
fn with_claims(spec: &Value) -> Value {
    let mut spec = spec.clone();
    for name in ["subdomain", "hostname"] {
        edit::remove(&mut spec, &["template", "spec", name]);
    }
    let root = At::root(&spec);
    let claims: Vec<_> = root
        .get("volumeClaimTemplates")
        .items()
        .map(|it| it.get("metadata").get("name").text().to_owned())
        .collect();
    if claims.is_empty() {
        return spec;
    }
    let volumes = root.get("template").get("spec").get("volumes");
    let others = volumes
        .items()
        .filter(|it| !claims.iter().any(|name| it.get("name").is(name)));
    let others: Vec<_> = others.map(|it| it.value.clone()).collect();
    let of_claim = |name: &String| json!({"name": name, "persistentVolumeClaim": {"claimName": name}});
    let all: Vec<_> = claims.iter().map(of_claim).chain(others).collect();
    edit::set(&mut spec, &["template", "spec", "volumes"], all.into());
    spec
}

fn strategy(at: &At<'_>) -> Errors {
    let rolling = at.get("rollingUpdate");
    match at.get("type").text() {
        "" => vec![at.required("")],
        "RollingUpdate" => {
            let mut errors = non_negative(&rolling, &["partition"]);
            let unavailable = rolling.get("maxUnavailable");
            if unavailable.is_set() {
                errors.extend(number::int_or_percent(&unavailable));
                if number::int_or_percent_value(unavailable.value) == 0 {
                    errors.push(unavailable.invalid("cannot be 0"));
                }
                errors.extend(number::at_most_100_percent(&unavailable));
            }
            errors
        }
        "OnDelete" if rolling.is_set() => {
            let shown = json!({"MaxUnavailable": rolling.get("maxUnavailable").value, "Partition": rolling.get("partition").number()});
            let says = "only allowed for updateStrategy 'RollingUpdate'";
            vec![At::new(&shown, rolling.path).invalid_in_order(&["Partition", "MaxUnavailable"], says)]
        }
        "OnDelete" => Errors::new(),
        kind => {
            let shown = json!({"Type": kind, "RollingUpdate": rolling.value});
            let says = "must be 'RollingUpdate' or 'OnDelete'";
            vec![At::new(&shown, at.path.clone()).invalid_in_order(&["Type", "RollingUpdate"], says)]
        }
    }
}

fn update(new: &Value, old: &Value) -> Errors {
    let mut errors = stateful_set(new);
    let (spec, before) = (At::root(new).get("spec"), At::root(old).get("spec"));
    errors.extend(immutable_selector(new, old));
    for name in ["volumeClaimTemplates", "serviceName", "podManagementPolicy"] {
        errors.extend(spec.get(name).immutable(&before.get(name)));
    }
    errors
}
