//! What is allowed and allocated beside the kind's own rules, and what a write brings about at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::{call::Call, strategy::Part};
use crate::{
    core::Core,
    failure::Failure,
    kinds::service::allocate::{self, Allocator, Claim},
    registry,
};

/// The addresses and ports of Services.
#[derive(Debug)]
pub(crate) struct Allocations(Mutex<Allocator>);

impl Allocations {
    pub(crate) fn new(allocator: Allocator) -> Self {
        Self(Mutex::new(allocator))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Allocator> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a write has taken. It is given back unless the write is made.
#[derive(Debug, Default)]
pub(crate) struct Taken(Option<(Arc<Core>, Claim)>);

impl Taken {
    fn new(call: &Call, claim: Claim) -> Self {
        Self(Some((call.core.clone(), claim)))
    }

    /// The write was made.
    pub(crate) fn keep(mut self) {
        if let Some((core, claim)) = self.0.take() {
            claim.commit(&mut core.allocations.lock());
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some((core, claim)) = self.0.take() {
            claim.revert(&mut core.allocations.lock());
        }
    }
}

/// Before a new object is stored.
pub(crate) fn before_create(call: &Call, part: Part, new: &mut Value, dry_run: bool) -> Result<Taken, Failure> {
    // What a PUT of the status creates gets no addresses.
    if call.served.is("", "services") && part == Part::Main {
        if dry_run {
            let mut rehearsal = call.core.allocations.lock().rehearse();
            let claim = allocate::on_create(new, &mut rehearsal);
            return claim
                .map(|_| Taken::default())
                .map_err(|errors| refused(call, new, &errors));
        }
        let claim = allocate::on_create(new, &mut call.core.allocations.lock());
        return claim
            .map(|claim| Taken::new(call, claim))
            .map_err(|errors| refused(call, new, &errors));
    }
    check_escalation(call, new, None)?;
    Ok(Taken::default())
}

/// Before a changed object is stored.
pub(crate) fn before_update(
    call: &Call,
    part: Part,
    new: &mut Value,
    old: &Value,
    dry_run: bool,
) -> Result<Taken, Failure> {
    if call.served.is("", "services") && part == Part::Main {
        if dry_run {
            let mut rehearsal = call.core.allocations.lock().rehearse();
            let claim = allocate::on_update(new, old, &mut rehearsal);
            return claim
                .map(|_| Taken::default())
                .map_err(|errors| refused(call, new, &errors));
        }
        let claim = allocate::on_update(new, old, &mut call.core.allocations.lock());
        return claim
            .map(|claim| Taken::new(call, claim))
            .map_err(|errors| refused(call, new, &errors));
    }
    check_escalation(call, new, Some(old))?;
    Ok(Taken::default())
}

fn refused(call: &Call, new: &Value, errors: &[crate::failure::FieldError]) -> Failure {
    Failure::invalid(call.served.kind_target(crate::object::name(new)), errors)
}

/// Nobody hands out what they do not have.
fn check_escalation(call: &Call, new: &Value, old: Option<&Value>) -> Result<(), Failure> {
    if *call.served.group != *"rbac.authorization.k8s.io" {
        return Ok(());
    }
    match call.core.authorizer().policy() {
        Some(policy) => policy.check_escalation(&call.user, new, old),
        None => Ok(()),
    }
}

/// After a write: `new` is `None` if the object is gone.
pub(crate) fn written(call: &Call, old: Option<&Value>, new: Option<&Value>) {
    match (&*call.served.group, &*call.served.plural) {
        ("", "services") => {
            if let (Some(old), None) = (old, new) {
                call.core.allocations.lock().release(old);
            }
        }
        ("rbac.authorization.k8s.io", _) => call.core.access.changed(old, new),
        ("apiextensions.k8s.io", "customresourcedefinitions") => registry::custom::changed(&call.core),
        _ => {}
    }
}
