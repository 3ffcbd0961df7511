//! The options of deletions.

use serde_json::{Value, json};

use super::write::dry_run;
use crate::{
    failure::{Failure, FieldError, FieldPath, Target},
    request::Query,
};

/// What happens to what an object owns when it is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// The dependents lose the reference and stay.
    Orphan,
    /// The garbage collector deletes them afterwards.
    Background,
    /// They are deleted first.
    Foreground,
}

/// The options of a deletion.
#[derive(Clone, Debug, Default)]
pub struct DeleteOptions {
    /// Everything is done but the deletion.
    pub dry_run: bool,
    /// How long a Pod may take; `None`: what it says itself.
    pub grace_period_seconds: Option<i64>,
    /// What happens to the dependents; `None`: the default of the kind.
    pub propagation: Option<Propagation>,
    /// Whether the propagation was asked for as background in the old way, `orphanDependents: false`.
    pub orphan_dependents: Option<bool>,
    /// The UID that the object must have.
    pub uid: Option<String>,
    /// The resourceVersion that the object must have.
    pub resource_version: Option<String>,
    /// Whether an object is meant that cannot be read; here all can.
    pub unreadable: bool,
}

impl DeleteOptions {
    /// From a query, which counts if there is no body.
    ///
    /// # Errors
    ///
    /// 400 for values that cannot be read, 422 for those that are not known or exclude each other.
    pub fn from_query(query: &Query) -> Result<Self, Failure> {
        let mut body = json!({});
        if !query.all("dryRun").is_empty() {
            body["dryRun"] = query.all("dryRun").into();
        }
        if query.has("propagationPolicy") {
            body["propagationPolicy"] = query.text("propagationPolicy").into();
        }
        if let Some(seconds) = query.number("gracePeriodSeconds")? {
            body["gracePeriodSeconds"] = seconds.into();
        }
        for name in ["orphanDependents", "ignoreStoreReadErrorWithClusterBreakingPotential"] {
            if query.has(name) {
                body[name] = query.switch(name).into();
            }
        }
        Self::from_body(&body)
    }

    /// From a body that is decoded.
    ///
    /// # Errors
    ///
    /// 422 for values that are not known or exclude each other.
    pub fn from_body(body: &Value) -> Result<Self, Failure> {
        let mut errors = Vec::new();
        let orphan_dependents = body["orphanDependents"].as_bool();
        let policy = &body["propagationPolicy"];
        let field = FieldPath::new("propagationPolicy");
        if orphan_dependents.is_some() && policy.is_string() {
            let detail = "orphanDependents and deletionPropagation cannot be both set";
            errors.push(FieldError::invalid(&field, policy, detail));
        }
        let propagation = match policy.as_str() {
            Some("Orphan") => Some(Propagation::Orphan),
            Some("Background") => Some(Propagation::Background),
            Some("Foreground") => Some(Propagation::Foreground),
            Some(_) => {
                let known = ["Foreground", "Background", "Orphan", "nil"];
                errors.push(FieldError::not_supported(&field, policy, &known));
                None
            }
            None => None,
        };
        let runs = body["dryRun"].as_array().into_iter().flatten();
        let runs: Vec<String> = runs.filter_map(Value::as_str).map(str::to_owned).collect();
        let dry_run = dry_run(&runs, &mut errors);
        let unreadable = body[UNREADABLE].as_bool().unwrap_or(false);
        if unreadable {
            alone(body, &mut errors);
        }
        if !errors.is_empty() {
            let target = Target::new("meta.k8s.io", "DeleteOptions", "");
            return Err(Failure::invalid(target, &errors));
        }
        Ok(Self {
            dry_run,
            grace_period_seconds: body["gracePeriodSeconds"].as_i64(),
            propagation,
            orphan_dependents,
            uid: body["preconditions"]["uid"].as_str().map(str::to_owned),
            resource_version: body["preconditions"]["resourceVersion"].as_str().map(str::to_owned),
            unreadable,
        })
    }
}

const UNREADABLE: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

/// What is not said together with [`UNREADABLE`] (`ValidateIgnoreStoreReadError`).
fn alone(body: &Value, errors: &mut Vec<FieldError>) {
    for other in [
        "propagationPolicy",
        "orphanDependents",
        "gracePeriodSeconds",
        "preconditions",
    ] {
        if !body[other].is_null() {
            let detail = format!("cannot be set together with .{other}");
            errors.push(FieldError::invalid(&FieldPath::new(UNREADABLE), &true.into(), detail));
        }
    }
}
