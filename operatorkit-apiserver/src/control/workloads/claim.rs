//! What belongs to a controller: what it controls and its selector matches. Orphans that match are adopted, what no
//! longer matches is released (`ControllerRefManager` of `k8s.io/kubernetes/pkg/controller`).

use serde_json::{Value, json};

use super::action::{Plan, Reference, Verb};
use super::labels::matches;
use super::owner::{controller_reference, controller_uid, is_controlled_by, is_deleted, uid};
use crate::read::{items, text};

/// The objects that belong to the owner. What is to be adopted or released goes into the plan, and belongs to
/// the owner, or not, when that is done.
pub(super) fn claimed<'a>(owner: &Value, objects: &[&'a Value], plan: &mut Plan) -> Vec<&'a Value> {
    let selector = owner.pointer("/spec/selector");
    let mut claimed = Vec::new();
    for object in objects
        .iter()
        .filter(|object| text(object, "/metadata/namespace") == text(owner, "/metadata/namespace"))
    {
        let is_wanted = matches(selector, object);
        if is_controlled_by(object, owner) {
            if is_wanted {
                claimed.push(*object);
            } else if !is_deleted(owner) {
                plan.push(with_owners(object, &released(object, owner)));
            }
        } else if controller_uid(object).is_empty() && is_wanted && !is_deleted(owner) && !is_deleted(object) {
            let mut owners = items(object, "/metadata/ownerReferences").to_vec();
            owners.push(controller_reference(owner));
            plan.push(with_owners(object, &owners));
        }
    }
    claimed
}

fn released(object: &Value, owner: &Value) -> Vec<Value> {
    let others = items(object, "/metadata/ownerReferences")
        .iter()
        .filter(|reference| text(reference, "/uid") != uid(owner));
    others.cloned().collect()
}

/// Sets the owners of the object as it was looked at.
fn with_owners(object: &Value, owners: &[Value]) -> Verb {
    let metadata = json!({
        "uid": uid(object),
        "resourceVersion": text(object, "/metadata/resourceVersion"),
        "ownerReferences": owners,
    });
    Verb::Patch {
        object: Reference::to(object),
        subresource: "",
        patch: json!({ "metadata": metadata }),
    }
}
