//! What is below a Pod: where it runs, whether it may go, and what only a kubelet can answer.

use serde_json::{Value, json};

use super::Asked;
use crate::{
    failure::{Failure, Target},
    kinds::pod,
    object,
    request::{DeleteOptions, WriteOptions},
    store::Key,
    validation::{At, selector},
    verbs::{
        self, Call, Outcome, ingest,
        strategy::{self, Part},
        update::{self, Changed},
    },
};

/// `/binding`: the Pod runs on this node (`pkg/registry/core/pod/storage`, `BindingREST`).
pub(super) fn bind(asked: Asked<'_>) -> Result<Outcome, Failure> {
    let call = asked.call;
    let options = WriteOptions::parse(&call.query, "CreateOptions")?;
    let binding = ingest::document(asked.content_type, asked.body, "v1", "Binding")?;
    let errors = pod::subresource::validate_binding(&binding);
    if !errors.is_empty() {
        // The real server gives no reason: it does not make a Status of them.
        let each: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let all = if let [one] = each.as_slice() {
            one.clone()
        } else {
            format!("[{}]", each.join(", "))
        };
        return Err(Failure::new(500, "", all));
    }
    let name = call.place.name.clone().unwrap_or_default();
    let now = call.core.clock.seconds();
    update::change(call, Part::Binding, &options, |old| {
        let mut new = old.clone();
        let bound = pod::subresource::bind(&mut new, &binding, &now);
        bound.map_err(|why| Failure::conflict(Target::new("", "pods/binding", &name), why))?;
        Ok(Changed {
            object: new,
            owned: false,
        })
    })?;
    Ok(success(201))
}

/// `/eviction`: a deletion that a PodDisruptionBudget may refuse (KEP-85).
pub(super) fn evict(asked: Asked<'_>) -> Result<Outcome, Failure> {
    let call = asked.call;
    let eviction = ingest::document(asked.content_type, asked.body, "policy/v1", "Eviction")?;
    if call.place.name.as_deref() != Some(object::name(&eviction)) {
        return Err(Failure::bad_request(
            "name in URL does not match name in Eviction object",
        ));
    }
    let mut options = DeleteOptions::from_body(&eviction["deleteOptions"])?;
    options.dry_run |= WriteOptions::parse(&call.query, "CreateOptions")?.dry_run;
    let pod = strategy::show(&call.served, &*call.stored()?);
    let over = matches!(
        pod["status"]["phase"].as_str(),
        Some("Failed" | "Succeeded" | "Pending")
    );
    if !over && !object::is_deleting(&pod) {
        disrupt(call, &pod)?;
    }
    verbs::delete::delete(call, &options)?;
    Ok(success(201))
}

/// Refuses if the budget of the Pod allows no disruption.
fn disrupt(call: &Call, pod: &Value) -> Result<(), Failure> {
    let catalog = call.core.registry.catalog();
    let Some(served) = catalog.preferred("policy", "poddisruptionbudgets") else {
        return Ok(());
    };
    let budgets = call.core.store.all(&served.table).into_iter();
    let budgets = budgets.filter(|budget| *budget.key().namespace == *object::namespace(pod));
    for budget in budgets {
        let budget = strategy::show(served, &budget);
        if !selects(&budget, pod) {
            continue;
        }
        if budget["status"]["disruptionsAllowed"].as_i64().unwrap_or(0) > 0 {
            continue;
        }
        let mut failure =
            Failure::too_many_requests("Cannot evict pod as it would violate the pod's disruption budget.", 0);
        failure.retry_after = None;
        let name = object::name(&budget);
        let healthy = budget["status"]["currentHealthy"].as_i64().unwrap_or(0);
        let desired = budget["status"]["desiredHealthy"].as_i64().unwrap_or(0);
        let cause = format!("The disruption budget {name} needs {desired} healthy pods and has {healthy} currently");
        return Err(failure.because("DisruptionBudget", cause, ""));
    }
    Ok(())
}

fn selects(budget: &Value, pod: &Value) -> bool {
    let selector = At::root(budget).get("spec").get("selector");
    selector::matches(&selector, &pod["metadata"]["labels"]).unwrap_or(false)
}

/// `/log`, `/exec`, …: there is no kubelet to ask.
pub(super) fn needs_kubelet(asked: Asked<'_>, what: &str) -> Result<Outcome, Failure> {
    let call = asked.call;
    let stored = call.stored()?;
    let Key { name, .. } = stored.key();
    let pod = strategy::show(&call.served, &stored);
    if pod["spec"]["nodeName"].as_str().unwrap_or_default().is_empty() {
        return Err(Failure::bad_request(format!(
            "pod {name} does not have a host assigned"
        )));
    }
    let message = format!("{}/{what} is not served here: no kubelet runs", call.served.plural);
    Err(Failure::new(501, "NotImplemented", message))
}

fn success(code: u16) -> Outcome {
    let body = json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": code });
    Outcome::Document { code, body }
}
