//! The `LimitRange`s of a namespace, for new Pods and claims (the admission plugin `LimitRanger`).

use serde_json::Value;

use super::{call::Call, strategy};
use crate::{failure::Failure, kinds::limits, object};

/// Gives what is missing, and refuses what is out of range.
pub(crate) fn apply(call: &Call, new: &mut Value) -> Result<(), Failure> {
    let (pod, claim) = (call.served.is("", "pods"), call.served.is("", "persistentvolumeclaims"));
    if !pod && !claim {
        return Ok(());
    }
    for range in ranges(call, object::namespace(new)) {
        if pod {
            limits::default_pod(new, &range);
        }
        let refused = if pod {
            limits::refuse_pod(new, &range)
        } else {
            limits::refuse_claim(new, &range)
        };
        if let Some(why) = refused {
            return Err(Failure::forbidden(call.served.target(object::name(new)), why));
        }
    }
    Ok(())
}

fn ranges(call: &Call, namespace: &str) -> Vec<Value> {
    let catalog = call.core.registry.catalog();
    let Some(served) = catalog.preferred("", "limitranges") else {
        return Vec::new();
    };
    let all = call.core.store.all(&served.table).into_iter();
    let here = all.filter(|stored| *stored.key().namespace == *namespace);
    here.map(|stored| strategy::show(served, &stored)).collect()
}
